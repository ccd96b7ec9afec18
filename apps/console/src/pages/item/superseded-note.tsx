import { Alert, Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Item } from '../../api/answers.js';

/** Warns that the text below is superseded. The replacement may be outside this token's scope. */
export const SupersededNote = ({ item }: { readonly item: Item }) =>
  item.superseded && (
    <Alert color="yellow" title="Superseded">
      Another item replaces this one: the text below is no longer valid, and search leaves it out.{' '}
      {item.supersededById !== null && (
        <Anchor component={Link} href={`/sources/${item.supersededById}`} inherit>
          Open the replacement
        </Anchor>
      )}
    </Alert>
  );
