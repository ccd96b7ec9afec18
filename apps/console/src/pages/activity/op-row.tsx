import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Op } from '../../api/answers.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';
import { FORGOTTEN, nameIn } from './op-name.js';
import { OpDetails } from './op-details.js';
import classes from './op.module.css';

/** The subject of the op: its item by title, or another named thing. */
const About = ({ op: { item, data } }: { readonly op: Op }) => {
  const name = nameIn(data);
  if (!item) return name !== undefined && <StoredText>{name}</StoredText>;
  if (item.title === FORGOTTEN)
    return (
      <Text span inherit c="dimmed" fs="italic">
        forgotten
      </Text>
    );
  return (
    <Anchor component={Link} href={`/sources/${item.id}`} inherit>
      <StoredText>{item.title}</StoredText>
    </Anchor>
  );
};

export const OpRow = ({ op }: { readonly op: Op }) => (
  <li className={classes.row}>
    <Group gap="xs">
      <Badge variant="light" color={op.kind === 'forget' ? 'red' : 'gray'} tt="none" radius="sm">
        {op.kind}
      </Badge>
      <Text size="sm" fw={600}>
        {op.type}
      </Text>
      <Text size="sm" component="span" data-about={op.type}>
        <About op={op} />
      </Text>
      <Text size="xs" c="dimmed">
        <When at={op.at} /> by <StoredText>{op.actor.agentId}</StoredText> · position {op.position}
      </Text>
    </Group>
    <OpDetails op={op} />
  </li>
);
