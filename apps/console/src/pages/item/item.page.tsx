import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useFolders } from '../../api/use-folders.js';
import { isMissing } from '../../api/api-error.js';
import { useLoad } from '../../api/use-load.js';
import type { Folder, ItemDetail } from '../../api/answers.js';
import { useLive } from '../../live/live.js';
import { can, useApi, useRights } from '../../session/session.js';
import { safeHref } from '../../ui/format.js';
import { KindBadge } from '../../ui/kind-badge.js';
import { ErrorNote, Loading, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { TierBadge } from '../../ui/tier-badge.js';
import { When } from '../../ui/when.js';
import { ChunkList, WholeText } from './chunk-list.js';
import { ForgetDialog, type ForgetTarget } from './forget-dialog.js';
import { ItemSettings } from './item-settings.js';
import { ItemLinks } from './link-list.js';
import { MentionList } from './mention-list.js';
import { SupersededNote } from './superseded-note.js';
import { Timeline } from './timeline.js';

const Provenance = ({ item }: { readonly item: ItemDetail }) => {
  const { kind, name, uri } = item.source;
  const href = uri === undefined ? undefined : safeHref(uri);
  return (
    <Text size="sm" c="dimmed">
      Stored <When at={item.createdAt} /> by <StoredText>{item.createdByAgentId}</StoredText> from {kind}
      {name !== undefined && (
        <>
          {' '}
          <StoredText>{name}</StoredText>
        </>
      )}
      {uri !== undefined && ' · '}
      {href !== undefined && (
        <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm">
          <StoredText>{uri!}</StoredText>
        </Anchor>
      )}
      {uri !== undefined && href === undefined && <StoredText>{uri}</StoredText>}
      {item.expiresAt !== null && (
        <>
          {' '}
          · expires <When at={item.expiresAt} />
        </>
      )}
    </Text>
  );
};

/** The settings as text, for users who may not change them. */
const Facts = ({ item, folder }: { readonly item: ItemDetail; readonly folder: Folder | undefined }) => (
  <Text size="sm">
    {folder && (
      <>
        In <StoredText>{folder.name}</StoredText>
        {' · '}
      </>
    )}
    {item.inKb ? 'in the knowledge base' : 'kept out of the knowledge base'}
    {item.tags.length > 0 && (
      <>
        {' · tagged '}
        <StoredText>{item.tags.join(', ')}</StoredText>
      </>
    )}
  </Text>
);

export const ItemPage = ({ itemId }: { readonly itemId: string }) => {
  const api = useApi();
  const rights = useRights();
  const { sourceChanges } = useLive();
  const { data: item, error, reload } = useLoad(itemId, () => api.call('GET /items/{id}', { id: itemId }));
  const folders = useFolders();
  const [target, setTarget] = useState<ForgetTarget>();
  useEffect(() => {
    if (sourceChanges > 0) reload();
  }, [sourceChanges, reload]);
  useDocumentTitle(`${item?.title ?? 'Item'} · Cairn`);
  const folder = folders.data?.find(({ id }) => id === item?.folderId);
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/sources" size="sm">
        ← All sources
      </Anchor>
      {error && isMissing(error) && (
        <PageHead
          title="This item is not here"
          note={
            rights.isAdmin
              ? 'It was forgotten, or never was. What the log knows stands below.'
              : 'It was forgotten, never was, or is not open to this token.'
          }
        />
      )}
      {error && !isMissing(error) && <ErrorNote error={error} onRetry={reload} />}
      {!item && !error && <Loading />}
      {item && (
        <>
          <div>
            <Group gap="xs">
              <KindBadge kind={item.kind} />
              {folder && <TierBadge tier={folder.tier} />}
            </Group>
            <Group justify="space-between" align="flex-start" my={4}>
              <Title order={1} size="h2" flex="1 1 14rem">
                <StoredText>{item.title}</StoredText>
              </Title>
              {rights.isAdmin && (
                <Button
                  color="red"
                  variant="outline"
                  onClick={() => setTarget({ id: item.id, what: 'item', title: item.title })}
                >
                  Forget
                </Button>
              )}
            </Group>
            <Provenance item={item} />
          </div>
          <SupersededNote item={item} />
          {can(rights, 'write') ? (
            <ItemSettings key={item.updatedAt} item={item} folders={folders.data ?? []} onSaved={reload} />
          ) : (
            <Facts item={item} folder={folder} />
          )}
          {item.inKb ? (
            <ChunkList
              chunks={item.chunks}
              onForget={
                rights.isAdmin
                  ? ({ id, ordinal }) =>
                      setTarget({
                        id,
                        what: 'chunk',
                        title: `Chunk ${ordinal + 1} of ${item.title}`,
                      })
                  : undefined
              }
            />
          ) : (
            <WholeText content={item.content} />
          )}
          <MentionList item={item} />
          <ItemLinks itemId={item.id} />
        </>
      )}
      {rights.isAdmin && error?.status !== 400 && (
        <Timeline itemId={itemId} changes={`${item?.updatedAt}:${sourceChanges}`} />
      )}
      {target && <ForgetDialog target={target} onForgotten={reload} onClose={() => setTarget(undefined)} />}
    </Stack>
  );
};
