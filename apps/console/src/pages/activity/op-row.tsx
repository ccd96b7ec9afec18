import { Badge, Group, Text } from '@mantine/core';
import type { Op } from '../../api/types.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';
import { OpDetails } from './op-details.js';
import classes from './op.module.css';

export const OpRow = ({ op }: { readonly op: Op }) => (
  <li className={classes.row}>
    <Group gap="xs">
      <Badge variant="light" color={op.kind === 'forget' ? 'red' : 'gray'} tt="none" radius="sm">
        {op.kind}
      </Badge>
      <Text size="sm" fw={600}>
        {op.type}
      </Text>
      <Text size="xs" c="dimmed">
        <When at={op.at} /> by <StoredText>{op.actor.agentId}</StoredText> · position {op.position}
      </Text>
    </Group>
    <OpDetails op={op} />
  </li>
);
