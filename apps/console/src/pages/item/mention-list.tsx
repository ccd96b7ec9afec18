import { Anchor, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { ItemDetail } from '../../api/answers.js';
import { useRights } from '../../session/session.js';
import { StoredText } from '../../ui/stored-text.js';
import { TypeMark } from '../graph/entity-look.js';
import classes from './relations.module.css';

/** The entities that the text mentions; each links to its page in the graph for users who may open it. */
export const MentionList = ({ item }: { readonly item: ItemDetail }) => {
  const { isAdmin } = useRights();
  if (item.mentions.length === 0) return null;
  return (
    <section aria-label="Mentions">
      <Title order={2} size="h4" mb="xs">
        Mentions
      </Title>
      <ul className={classes.mentions}>
        {item.mentions.map(({ entityId, name, type }) => (
          <li key={entityId}>
            <TypeMark type={type} />{' '}
            {isAdmin ? (
              <Anchor component={Link} href={`/graph/${entityId}`} size="sm" fw={600}>
                <StoredText>{name}</StoredText>
              </Anchor>
            ) : (
              <StoredText>{name}</StoredText>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
