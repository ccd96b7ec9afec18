import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useFolders } from '../../api/use-folders.js';
import { useLoad, usePages } from '../../api/use-load.js';
import type { Account, Connector } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { Question } from '../../ui/question.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { AccountCard } from './account-card.js';
import { AccountDialog } from './account-dialog.js';
import { ConnectorCard } from './connector-card.js';
import { PurgeDialog } from './purge-dialog.js';

interface Open {
  readonly dialog: 'edit' | 'purge' | 'disconnect';
  readonly account: Account;
}

const DisconnectQuestion = ({ account, ...on }: { account: Account; onDone: () => void; onClose: () => void }) => {
  const api = useApi();
  return (
    <Question
      title="Disconnect this account?"
      action="Disconnect"
      isDangerous
      onClose={on.onClose}
      onConfirm={async () => {
        await api.call('DELETE /accounts/{id}', { id: account.id });
        on.onDone();
      }}
    >
      Nothing is fetched from <StoredText>{account.label}</StoredText> any more, and its credential is destroyed. What
      was stored from it stays; forget those items on Sources if they should go too.
    </Question>
  );
};

export const ConnectionsPage = () => {
  const api = useApi();
  const folders = useFolders();
  const connectors = useLoad('connectors', () => api.call('GET /connectors'));
  const { items, error, reload, ...more } = usePages('accounts', (cursor) =>
    api.call('GET /accounts', { query: { cursor } }),
  );
  const [connecting, setConnecting] = useState<Connector>();
  const [open, setOpen] = useState<Open>();
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const known = connectors.data?.items ?? [];
  const connectorOf = ({ connectorId }: Account) => known.find(({ id }) => id === connectorId);
  const resultOf = (account: Account) => (result: string) =>
    setResults((before) => ({ ...before, [account.id]: result }));
  const close = (): void => {
    setOpen(undefined);
    setConnecting(undefined);
  };
  const done = (): void => {
    close();
    reload();
  };
  const edited = open?.dialog === 'edit' ? connectorOf(open.account) : undefined;
  return (
    <>
      <PageHead
        title="Connections"
        note="Sources outside Cairn: what is fetched from them, what is kept, and who is asked."
      />
      <Stack gap="lg">
        <section aria-label="Accounts">
          <Title order={2} size="h4" mb="xs">
            Accounts
          </Title>
          <ListState
            items={items}
            error={error}
            reload={reload}
            empty={<EmptyState title="Nothing is connected">Choose one of the connectors below.</EmptyState>}
          >
            <Stack component="ul" gap="xs" p={0} m={0} aria-label="Accounts">
              {items?.map((account) => (
                <AccountCard
                  key={account.id}
                  account={account}
                  connector={connectorOf(account)}
                  folder={folders.data?.find(({ id }) => id === account.folderId)}
                  result={results[account.id]}
                  onResult={resultOf(account)}
                  onEdit={() => setOpen({ dialog: 'edit', account })}
                  onPurge={() => setOpen({ dialog: 'purge', account })}
                  onDisconnect={() => setOpen({ dialog: 'disconnect', account })}
                />
              ))}
            </Stack>
            <MoreButton {...more} />
          </ListState>
        </section>
        <section aria-label="Connectors">
          <Title order={2} size="h4" mb="xs">
            Connectors
          </Title>
          <ListState
            items={connectors.data?.items}
            error={connectors.error}
            reload={connectors.reload}
            empty={<EmptyState title="There are no connectors">This installation has none.</EmptyState>}
          >
            <Stack component="ul" gap="xs" p={0} m={0} aria-label="Connectors">
              {known.map((connector) => (
                <ConnectorCard key={connector.id} connector={connector} onConnect={() => setConnecting(connector)} />
              ))}
            </Stack>
          </ListState>
        </section>
      </Stack>
      {connecting && folders.data && (
        <AccountDialog
          connector={connecting}
          account={undefined}
          folders={folders.data}
          onSaved={done}
          onClose={close}
        />
      )}
      {open && edited && folders.data && (
        <AccountDialog
          connector={edited}
          account={open.account}
          folders={folders.data}
          onSaved={done}
          onClose={close}
        />
      )}
      {open?.dialog === 'purge' && (
        <PurgeDialog
          account={open.account}
          onClose={close}
          onPurged={(result) => {
            resultOf(open.account)(result);
            done();
          }}
        />
      )}
      {open?.dialog === 'disconnect' && <DisconnectQuestion account={open.account} onDone={done} onClose={close} />}
    </>
  );
};
