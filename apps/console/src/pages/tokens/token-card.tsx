import { Badge, Button, Card, Group, Text } from '@mantine/core';
import type { Folder, Token } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';

interface TokenCardProps {
  readonly token: Token;
  readonly folders: readonly Folder[];
  readonly onRevoke: () => void;
}

const reachOf = ({ isUnscoped, folderIds }: Token, folders: readonly Folder[]): string => {
  if (isUnscoped) return 'whole library';
  const names = folderIds.map((id) => folders.find((folder) => folder.id === id)?.name);
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length && names.length > 0 ? known.join(', ') : plural(folderIds.length, 'folder');
};

const State = ({ token }: { readonly token: Token }) => {
  if (token.revokedAt !== null) return <Badge color="red">revoked</Badge>;
  if (Date.parse(token.expiresAt) <= Date.now()) return <Badge color="gray">expired</Badge>;
  return <Badge color="teal">active</Badge>;
};

export const TokenCard = ({ token, folders, onRevoke }: TokenCardProps) => (
  <Card component="li" withBorder padding="md">
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600}>
            <StoredText>{token.name}</StoredText>
          </Text>
          <State token={token} />
        </Group>
        <Text size="sm" c="dimmed">
          <StoredText>{token.agentId}</StoredText> · <StoredText>{reachOf(token, folders)}</StoredText> ·{' '}
          {token.rateLimitPerHour === null ? 'no rate limit' : `${plural(token.rateLimitPerHour, 'call')} per hour`} ·{' '}
          {token.revokedAt === null ? 'expires' : 'revoked'} <When at={token.revokedAt ?? token.expiresAt} />
        </Text>
        <Group gap={4} mt={4}>
          {token.scopes.map((scope) => (
            <Badge
              key={scope}
              size="sm"
              variant="light"
              color={scope === 'admin' ? 'red' : 'gray'}
              tt="none"
              radius="sm"
            >
              {scope}
            </Badge>
          ))}
        </Group>
      </div>
      {token.revokedAt === null && (
        <Button
          flex="none"
          size="xs"
          variant="outline"
          color="red"
          aria-label={`Revoke ${token.name}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      )}
    </Group>
  </Card>
);
