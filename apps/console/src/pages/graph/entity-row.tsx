import { Anchor, Card, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Entity } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';
import { TypeMark } from './entity-look.js';

const Aliases = ({ entity }: { readonly entity: Entity }) =>
  entity.aliases.length > 0 && (
    <>
      {' · also '}
      <StoredText>{entity.aliases.join(', ')}</StoredText>
    </>
  );

export const EntityFacts = ({ entity }: { readonly entity: Entity }) => (
  <Text size="sm" c="dimmed" component="div">
    <TypeMark type={entity.type} /> · mentioned in {plural(entity.mentions, 'chunk')} · last seen{' '}
    <When at={entity.lastSeen} />
    <Aliases entity={entity} />
  </Text>
);

/** One line of a list with what distinguishes the entity. Its own page shows the rest. */
export const EntityRow = ({ entity }: { readonly entity: Entity }) => (
  <Card component="li" withBorder padding="sm">
    <Anchor component={Link} href={`/graph/${entity.id}`} fw={600}>
      <StoredText>{entity.name}</StoredText>
    </Anchor>
    <Text size="sm" c="dimmed" component="div">
      <TypeMark type={entity.type} /> · in {plural(entity.mentions, 'chunk')}
      <Aliases entity={entity} />
    </Text>
  </Card>
);
