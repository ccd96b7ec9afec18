import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { ItemLink } from '../../api/answers.js';
import { useLoad, usePages } from '../../api/use-load.js';
import { can, useApi, useRights } from '../../session/session.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { ErrorNote, Loading, MoreButton } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './relations.module.css';
import { linkWords, otherEnd } from './link-words.js';

/** Each line loads the title of the linked item, so a page is short. */
const PAGE_LIMIT = 10;

const LinkRow = ({ link }: { readonly link: ItemLink }) => {
  const api = useApi();
  const id = otherEnd(link);
  const { data, error } = useLoad(`title:${id}`, () => api.call('GET /items/{id}', { id }));
  return (
    <li>
      <Text size="sm" component="span" c="dimmed">
        {linkWords(link)}
      </Text>{' '}
      <Anchor component={Link} href={`/sources/${id}`} size="sm">
        <StoredText>{data?.title ?? (error ? 'an item that cannot be read' : '…')}</StoredText>
      </Anchor>{' '}
      {link.sourceKind !== 'extracted' && <SmallBadge color="gray">{link.sourceKind}</SmallBadge>}
    </li>
  );
};

/** The links of this item to others, in both directions. Shown only if there are any. */
export const LinkList = ({ itemId }: { readonly itemId: string }) => {
  const api = useApi();
  const { items, error, reload, ...more } = usePages(`links:${itemId}`, (cursor) =>
    api.call('GET /items/{id}/links', { id: itemId, query: { limit: PAGE_LIMIT, cursor } }),
  );
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  if (!items) return <Loading />;
  if (items.length === 0) return null;
  return (
    <section aria-label="Links">
      <Title order={2} size="h4" mb="xs">
        Links
      </Title>
      <ul className={classes.links}>
        {items.map((link) => (
          <LinkRow key={`${link.id}:${link.direction}`} link={link} />
        ))}
      </ul>
      <MoreButton {...more} />
    </section>
  );
};

/** Renders nothing for users who may not read the graph. */
export const ItemLinks = ({ itemId }: { readonly itemId: string }) =>
  can(useRights(), 'graph:read') ? <LinkList itemId={itemId} /> : null;
