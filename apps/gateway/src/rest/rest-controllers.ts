import { ChunksController } from './chunks.controller.js';
import { ClientsController } from './clients.controller.js';
import { ConfirmationsController } from './confirmations.controller.js';
import { EventsController } from './events.controller.js';
import { FoldersController } from './folders.controller.js';
import { ItemsController } from './items.controller.js';
import { OpsController } from './ops.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { QuotasController } from './quotas.controller.js';
import { ReceiptsController } from './receipts.controller.js';
import { SignInCodesController } from './sign-in-codes.controller.js';
import { SignInController } from './sign-in.controller.js';
import { StatusController } from './status.controller.js';
import { TokensController } from './tokens.controller.js';
import { WhoamiController } from './whoami.controller.js';
import { WorkspacesController } from './workspaces.controller.js';

/** Every controller that the OpenAPI document describes, in its order. */
export const REST_CONTROLLERS = [
  SignInController,
  SignInCodesController,
  WhoamiController,
  WorkspacesController,
  FoldersController,
  TokensController,
  ClientsController,
  ItemsController,
  ChunksController,
  ReceiptsController,
  QuotasController,
  ConfirmationsController,
  EventsController,
  OpsController,
  ProjectionsController,
  StatusController,
] as const;
