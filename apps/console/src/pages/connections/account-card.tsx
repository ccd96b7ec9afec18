import { Anchor, Button, Card, FileButton, Group, Progress, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAction } from '../../api/use-load.js';
import type { Account, AnswerTo, Connector, Folder } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';
import { importNote, importResult, NOTHING_SYNCED, retentionLabel, syncResult, withSynced } from './connector-words.js';

interface AccountCardProps {
  readonly account: Account;
  /** Undefined if this installation no longer has the connector. */
  readonly connector: Connector | undefined;
  readonly folder: Folder | undefined;
  /** The result of the last action. */
  readonly result: string | undefined;
  readonly onResult: (result: string) => void;
  readonly onEdit: () => void;
  readonly onPurge: () => void;
  readonly onDisconnect: () => void;
}

const SETTING_CHARS = 80;

/** The settings in one line: paths and addresses, shortened if there are many. */
const settingsText = ({ settings }: Account): string => {
  const text = Object.values(settings).flat().join(', ');
  return text.length <= SETTING_CHARS ? text : `${text.slice(0, SETTING_CHARS)}…`;
};

/** Links to the account's items. Rows of a file stay out of the knowledge base, under a kind of their own. */
const itemsOf = ({ id }: Folder, connector: Connector | undefined): string =>
  `/sources?folder=${id}${connector?.capabilities.includes('import') ? '&kind=observations' : ''}`;

const Facts = ({ account, connector, folder }: Pick<AccountCardProps, 'account' | 'connector' | 'folder'>) => (
  <Text size="sm" c="dimmed">
    {connector?.name ?? account.connectorId}
    {folder && (
      <>
        {' · into '}
        <Anchor component={Link} href={itemsOf(folder, connector)} inherit>
          <StoredText>{folder.name}</StoredText>
        </Anchor>
      </>
    )}
    {' · '}
    {retentionLabel(account.retention)} · connected <When at={account.createdAt} />
    {settingsText(account) !== '' && (
      <>
        {' · '}
        <StoredText>{settingsText(account)}</StoredText>
      </>
    )}
  </Text>
);

export const AccountCard = ({ account, connector, folder, result, ...on }: AccountCardProps) => {
  const api = useApi();
  const sync = useAction(async () => {
    let sum = NOTHING_SYNCED;
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: AnswerTo<'POST /accounts/{id}/sync'> = await api.call('POST /accounts/{id}/sync', {
        id: account.id,
        query: { cursor },
      });
      sum = withSynced(sum, answer);
      on.onResult(syncResult(sum));
      cursor = answer.nextCursor;
    }
  });
  const importing = useAction(async (file: File) => {
    const form = new FormData();
    form.set('file', file);
    on.onResult(importNote(file));
    on.onResult(importResult(await api.call('POST /accounts/{id}/import', { id: account.id, form })));
  });
  const error = sync.error ?? importing.error;
  const can = (capability: Connector['capabilities'][number]): boolean =>
    connector?.capabilities.includes(capability) ?? false;
  return (
    <Card component="li" withBorder padding="md" aria-label={account.label}>
      <Group gap="xs">
        <Text fw={600} component="h3" size="md" m={0}>
          <StoredText>{account.label}</StoredText>
        </Text>
        {can('hydrate:text') && !account.hydrate && <SmallBadge color="gray">fetches nothing</SmallBadge>}
        {account.confirm === 'always' && <SmallBadge color="yellow">asks before each fetch</SmallBadge>}
      </Group>
      <Facts account={account} connector={connector} folder={folder} />
      <Text size="sm" mt={4} role="status" aria-label={`Result of ${account.label}`}>
        {error ? '' : result}
      </Text>
      {importing.isBusy && <Progress animated value={100} mt={6} aria-label={`Import into ${account.label}`} />}
      {error && <ErrorNote error={error} />}
      <Group gap="xs" mt="sm">
        {can('sync') && (
          <Button size="xs" loading={sync.isBusy} aria-label={`Sync ${account.label}`} onClick={() => sync.run()}>
            Sync
          </Button>
        )}
        {can('import') && (
          <FileButton
            accept=".csv,.json"
            onChange={(file) => file && importing.run(file)}
            inputProps={{ 'aria-label': `File for ${account.label}` }}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                loading={importing.isBusy}
                aria-label={`Import a file into ${account.label}`}
              >
                Import a file
              </Button>
            )}
          </FileButton>
        )}
        <Button size="xs" variant="default" aria-label={`Change ${account.label}`} onClick={on.onEdit}>
          Change
        </Button>
        {can('import') && (
          <Button size="xs" variant="outline" color="red" aria-label={`Purge ${account.label}`} onClick={on.onPurge}>
            Purge
          </Button>
        )}
        <Button
          size="xs"
          variant="outline"
          color="red"
          aria-label={`Disconnect ${account.label}`}
          onClick={on.onDisconnect}
        >
          Disconnect
        </Button>
      </Group>
    </Card>
  );
};
