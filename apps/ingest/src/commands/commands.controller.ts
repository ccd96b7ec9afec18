import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  commandSubject,
  ConfigureFolder,
  CorrectChunk,
  CreateFolder,
  CreateWorkspace,
  ERROR_TABLE,
  ForgetChunk,
  ForgetItem,
  IssueToken,
  ProposeCorrection,
  RememberItem,
  ResolveConfirmation,
  RevokeToken,
  SetQuota,
  StoreItem,
  SupersedeItem,
  UpdateItem,
  type CommandDefinition,
  type CommandType,
} from '@cairn/contracts';
import { respond } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import type { z } from 'zod';
import { IngestService } from '../ingest.service.js';

/** One handler per command: parse, carry out, answer. */
@Controller()
export class CommandsController {
  constructor(
    private readonly ingest: IngestService,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  @MessagePattern(commandSubject(CreateWorkspace.type))
  createWorkspace(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(CreateWorkspace, bytes);
  }

  @MessagePattern(commandSubject(CreateFolder.type))
  createFolder(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(CreateFolder, bytes);
  }

  @MessagePattern(commandSubject(ConfigureFolder.type))
  configureFolder(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(ConfigureFolder, bytes);
  }

  @MessagePattern(commandSubject(IssueToken.type))
  issueToken(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(IssueToken, bytes);
  }

  @MessagePattern(commandSubject(RevokeToken.type))
  revokeToken(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(RevokeToken, bytes);
  }

  @MessagePattern(commandSubject(StoreItem.type))
  storeItem(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(StoreItem, bytes);
  }

  @MessagePattern(commandSubject(UpdateItem.type))
  updateItem(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(UpdateItem, bytes);
  }

  @MessagePattern(commandSubject(SupersedeItem.type))
  supersedeItem(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(SupersedeItem, bytes);
  }

  @MessagePattern(commandSubject(ForgetItem.type))
  forgetItem(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(ForgetItem, bytes);
  }

  @MessagePattern(commandSubject(ForgetChunk.type))
  forgetChunk(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(ForgetChunk, bytes);
  }

  @MessagePattern(commandSubject(SetQuota.type))
  setQuota(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(SetQuota, bytes);
  }

  @MessagePattern(commandSubject(RememberItem.type))
  rememberItem(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(RememberItem, bytes);
  }

  @MessagePattern(commandSubject(ResolveConfirmation.type))
  resolveConfirmation(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(ResolveConfirmation, bytes);
  }

  @MessagePattern(commandSubject(ProposeCorrection.type))
  proposeCorrection(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(ProposeCorrection, bytes);
  }

  @MessagePattern(commandSubject(CorrectChunk.type))
  correctChunk(@Payload() bytes: Uint8Array): Promise<string> {
    return this.handle(CorrectChunk, bytes);
  }

  private async handle(
    command: CommandDefinition<CommandType, z.ZodType, z.ZodType>,
    bytes: Uint8Array,
  ): Promise<string> {
    const { type } = command;
    const end = this.metrics.commandSeconds.startTimer({ type });
    let outcome = 'ok';
    const reply = await respond(
      bytes,
      command.schema,
      (request) => this.ingest.carryOut(type, request as never),
      (error, { correlationId }) => {
        outcome = error.kind;
        this.logger[ERROR_TABLE[error.kind].logLevel](
          { type, code: error.code, correlationId, err: error.cause },
          error.message,
        );
      },
    );
    end({ outcome });
    return reply;
  }
}
