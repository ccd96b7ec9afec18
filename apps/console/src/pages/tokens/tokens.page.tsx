import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useFolders } from '../../api/use-folders.js';
import { usePages } from '../../api/use-load.js';
import type { Token } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { IssueDialog } from './issue-dialog.js';
import { RevokeDialog } from './revoke-dialog.js';
import { TokenCard } from './token-card.js';

export const TokensPage = () => {
  const api = useApi();
  const folders = useFolders();
  const { items, error, reload, ...more } = usePages('tokens', (cursor) =>
    api.call('GET /tokens', { query: { cursor } }),
  );
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  return (
    <>
      <PageHead title="Tokens" note="One for each agent or person: what it may do, what it may see, and until when.">
        <Button onClick={() => setIssuing(true)}>Issue token</Button>
      </PageHead>
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={<EmptyState title="There are no tokens">Issue one for your first agent.</EmptyState>}
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label="Tokens">
          {items?.map((token) => (
            <TokenCard key={token.id} token={token} folders={folders.data ?? []} onRevoke={() => setRevoked(token)} />
          ))}
        </Stack>
        <MoreButton {...more} />
      </ListState>
      {isIssuing && <IssueDialog folders={folders.data ?? []} onIssued={reload} onClose={() => setIssuing(false)} />}
      {revoked && (
        <RevokeDialog
          token={revoked}
          onRevoked={() => {
            setRevoked(undefined);
            reload();
          }}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </>
  );
};
