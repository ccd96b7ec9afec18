import { Anchor, Card, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Folder, Hit, Leg } from '../../api/answers.js';
import { barPercent } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './hit-card.module.css';

const NAMES: Readonly<Record<string, string>> = { vector: 'Meaning', bm25: 'Words', fulltext: 'Words', title: 'Title' };

/** The track is the most that the leg can contribute; the bar is what it did contribute. */
const LegBar = ({ leg }: { readonly leg: Leg }) => {
  const name = NAMES[leg.leg] ?? leg.leg;
  const place = leg.rank === null ? 'not found' : `rank ${leg.rank}`;
  const sum = `${leg.contribution.toFixed(3)} of ${leg.weight.toFixed(2)}`;
  return (
    <div
      className={classes.leg}
      role="img"
      aria-label={`${name} (${leg.leg}): ${place}, adds ${sum}`}
      data-leg={leg.leg}
    >
      <span className={classes.legName}>{name}</span>
      <span className={classes.track}>
        <span
          className={classes.bar}
          data-leg={leg.leg}
          style={{ width: `${barPercent(leg.contribution, leg.weight)}%` }}
        />
      </span>
      <span className={classes.sum}>{sum}</span>
      <span className={classes.place}>{place}</span>
    </div>
  );
};

export const HitCard = ({ hit, folder }: { readonly hit: Hit; readonly folder: Folder | undefined }) => (
  <Card component="article" withBorder padding="md">
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Anchor component={Link} href={`/sources/${hit.itemId}`} fw={600}>
        <StoredText>{hit.title}</StoredText>
      </Anchor>
      <Text size="sm" fw={600} className={classes.score ?? ''}>
        <span className={classes.scoreName}>score</span> {hit.score.toFixed(3)}
      </Text>
    </Group>
    {folder && (
      <Text size="xs" c="dimmed">
        in <StoredText>{folder.name}</StoredText>
      </Text>
    )}
    <Text component="div" size="sm" my="xs">
      <StoredText isBlock>{hit.snippet}</StoredText>
    </Text>
    {hit.explain && (
      <div className={classes.legs}>
        {hit.explain.legs.map((leg) => (
          <LegBar key={leg.leg} leg={leg} />
        ))}
      </div>
    )}
  </Card>
);
