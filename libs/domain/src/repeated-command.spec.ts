import { describe, expect, it } from '@jest/globals';
import { CLIENT_TOKEN_LIFE_MS } from '@cairn/contracts';
import { admin, agent, aWorkspace, id, NOW_MS } from './given.builder.js';
import { earlierCommand, type NamedCommand } from './repeated-command.js';
import { clientTokenKey, type CommandState, type WorkspaceState } from './state.js';

const clientToken = { tool: 'remember', token: id(77) };

const command = (more: Partial<NamedCommand> = {}): NamedCommand => ({
  id: id(20),
  principal: admin,
  payloadHash: 'a'.repeat(64),
  clientToken,
  ...more,
});

const carried: CommandState = {
  position: 7,
  entityId: id(10),
  type: 'item.stored',
  tokenId: admin.tokenId,
  payloadHash: 'a'.repeat(64),
};

const after = (first: CommandState = carried): WorkspaceState => ({
  ...aWorkspace,
  commands: new Map([[id(20), first]]),
  clientTokens: new Map([[clientTokenKey(admin.agentId, clientToken), { command: first, atMs: NOW_MS }]]),
});

const reused = (field: string) => expect.objectContaining({ code: 'idempotency.key_reused', details: { field } });

describe('a command id', () => {
  it('identifies its command forever', () => {
    expect(earlierCommand(aWorkspace, command(), NOW_MS)).toBeUndefined();
    expect(earlierCommand(after(), command(), NOW_MS + 1e12)).toEqual(carried);
  });

  it.each<[string, Partial<NamedCommand>]>([
    ['other content', { payloadHash: 'b'.repeat(64) }],
    ['another token', { principal: { ...admin, tokenId: id(8) } }],
  ])('is refused for %s', (_, more) => {
    expect(() => earlierCommand(after(), command(more), NOW_MS)).toThrow(reused('Idempotency-Key'));
  });
});

describe('a key that an earlier build used as a command id', () => {
  const underKey = (more: Partial<NamedCommand> = {}) => command({ id: id(30), sentAs: id(20), ...more });

  it('identifies its command', () => {
    expect(earlierCommand(after(), underKey({ clientToken: undefined }), NOW_MS)).toEqual(carried);
  });

  it('is refused for other content', () => {
    expect(() => earlierCommand(after(), underKey({ payloadHash: 'b'.repeat(64) }), NOW_MS)).toThrow(
      reused('Idempotency-Key'),
    );
  });

  it('reveals nothing to another token', () => {
    const other = underKey({ clientToken: undefined, principal: { ...admin, tokenId: id(8) } });
    expect(earlierCommand(after(), other, NOW_MS)).toBeUndefined();
  });
});

describe('a clientToken', () => {
  const repeat = (more: Partial<NamedCommand> = {}) => command({ id: id(21), ...more });

  it.each([0, 1, CLIENT_TOKEN_LIFE_MS - 1])('still identifies its command %i ms later [D-14]', (ms) => {
    expect(earlierCommand(after(), repeat(), NOW_MS + ms)).toEqual(carried);
  });

  it('no longer identifies its command 60 seconds later [D-14]', () => {
    expect(earlierCommand(after(), repeat(), NOW_MS + CLIENT_TOKEN_LIFE_MS)).toBeUndefined();
  });

  it('is refused for other content within its window', () => {
    expect(() => earlierCommand(after(), repeat({ payloadHash: 'b'.repeat(64) }), NOW_MS)).toThrow(
      reused('clientToken'),
    );
  });

  it('is refused for content that was forgotten since', () => {
    expect(() => earlierCommand(after({ ...carried, payloadHash: null }), repeat(), NOW_MS)).toThrow(
      reused('clientToken'),
    );
  });

  it.each<[string, Partial<NamedCommand>]>([
    ['another agent [D-15]', { principal: agent('agent-b') }],
    ['another tool', { clientToken: { ...clientToken, tool: 'forget' } }],
    ['a command without a clientToken', { clientToken: undefined }],
  ])('reveals nothing to %s', (_, more) => {
    expect(earlierCommand(after(), repeat(more), NOW_MS)).toBeUndefined();
  });

  it('belongs to the agent, whichever of its tokens sends it [D-15]', () => {
    expect(earlierCommand(after(), repeat({ principal: { ...admin, tokenId: id(8) } }), NOW_MS)).toEqual(carried);
  });
});
