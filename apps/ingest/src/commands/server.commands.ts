import { fail, type CommandData } from '@cairn/contracts';
import {
  changedSecrets,
  decideConfigureServer,
  decidePinServer,
  decideRegisterServer,
  decideRemoveServer,
  type ResealedServer,
  type ServerState,
} from '@cairn/domain';
import { openServerSecrets, sealServerSecrets, type ItemKeys } from '@cairn/vault';
import { at, type Command } from './command.js';

const answer = ({ entityId, position }: { readonly entityId: string; readonly position: number }) => ({
  serverId: entityId,
  position,
});

export const registerServer: Command<'server.register'> = {
  generatedFields: ['serverId'],
  prepare: (request, { vault }) => {
    const { url, credential, ...command } = request.data;
    const { workspaceId } = request.principal;
    const keys = vault.mint(workspaceId, command.serverId, []);
    const secrets = { url, ...(credential && { credential }) };
    const sealed = sealServerSecrets(keys.item, workspaceId, command.serverId, secrets).toString('base64');
    return {
      needs: { servers: true },
      decide: (state, atMs) => decideRegisterServer(state, { ...at(request, atMs), data: { command, sealed } }),
      beforeAppend: () => vault.keep(workspaceId, command.serverId, keys),
      answer,
    };
  },
};

type Change = CommandData<'server.configure'>;

const resealing =
  (workspaceId: string, change: Change, keys: ItemKeys | undefined) =>
  ({ id, sealed }: ServerState): ResealedServer | undefined => {
    if (change.url === undefined && change.credential === undefined) return undefined;
    if (!keys) throw fail('key.unavailable', 'the key of an external server is missing');
    const now = openServerSecrets(keys.item, workspaceId, id, Buffer.from(sealed, 'base64'));
    const next = changedSecrets(now, change);
    if (JSON.stringify(next) === JSON.stringify(now)) return undefined;
    return {
      sealed: sealServerSecrets(keys.item, workspaceId, id, next).toString('base64'),
      isElsewhere: next.url !== now.url,
    };
  };

export const configureServer: Command<'server.configure'> = {
  prepare: async (request, { vault }) => {
    const { url: _, credential: __, ...command } = request.data;
    const { workspaceId } = request.principal;
    // A server that is missing or in another workspace has no key here, and the decider does not find it either.
    const keys = await vault.find(workspaceId, command.serverId);
    const reseal = resealing(workspaceId, request.data, keys);
    return {
      needs: { servers: true },
      decide: (state, atMs) => decideConfigureServer(state, { ...at(request, atMs), data: { command, reseal } }),
      answer,
    };
  },
};

export const removeServer: Command<'server.remove'> = {
  prepare: (request) => ({
    needs: { servers: true },
    decide: (state, atMs) => decideRemoveServer(state, at(request, atMs)),
    answer,
  }),
  // The removal stands even if this fails; the sweeper tries again.
  around: async ({ principal, data: { serverId } }, append, { vault, logger }) => {
    const result = await append();
    await vault.destroy(principal.workspaceId, serverId).catch((thrown: unknown) => {
      logger.warn({ err: thrown, serverId }, 'the key of a removed server is not destroyed yet');
    });
    return result;
  },
};

export const pinServer: Command<'server.pin'> = {
  prepare: (request) => ({
    needs: { servers: true },
    decide: (state, atMs) => decidePinServer(state, at(request, atMs)),
    answer,
  }),
};
