import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../../api/use-load.js';
import type { Server } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { Question } from '../../ui/question.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { ApproveDialog } from './approve-dialog.js';
import { RegisterDialog } from './register-dialog.js';
import { ServerCard } from './server-card.js';

interface Open {
  readonly dialog: 'approve' | 'remove';
  readonly server: Server;
}

export const ServersPage = () => {
  const api = useApi();
  const { items, error, reload, ...more } = usePages('servers', (cursor) =>
    api.call('GET /mcp-servers', { query: { cursor } }),
  );
  const [isRegistering, setRegistering] = useState(false);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    setRegistering(false);
    reload();
  };
  return (
    <>
      <PageHead
        title="Servers"
        note="Other MCP servers whose tools your agents are offered beside those of Cairn. Calling them needs the scope external."
      >
        <Button onClick={() => setRegistering(true)}>Register server</Button>
      </PageHead>
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={
          <EmptyState title="No server is registered">
            Register one, and its tools are in the list that your agents get, named after it.
          </EmptyState>
        }
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label="Servers">
          {items?.map((server) => (
            <ServerCard
              key={server.id}
              server={server}
              onChanged={reload}
              onApprove={() => setOpen({ dialog: 'approve', server })}
              onRemove={() => setOpen({ dialog: 'remove', server })}
            />
          ))}
        </Stack>
        <MoreButton {...more} />
      </ListState>
      {isRegistering && <RegisterDialog onRegistered={done} onClose={() => setRegistering(false)} />}
      {open?.dialog === 'approve' && <ApproveDialog server={open.server} onApproved={done} onClose={close} />}
      {open?.dialog === 'remove' && (
        <Question
          title="Remove this server?"
          action="Remove server"
          isDangerous
          onClose={close}
          onConfirm={async () => {
            await api.call('DELETE /mcp-servers/{id}', { id: open.server.id });
            done();
          }}
        >
          The tools of <StoredText>{open.server.name}</StoredText> are no longer offered, its credential is destroyed,
          and what was approved is no longer known. To pause it, use Disable.
        </Question>
      )}
    </>
  );
};
