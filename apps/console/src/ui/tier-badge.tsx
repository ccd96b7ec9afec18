import { Badge } from '@mantine/core';
import type { Tier } from '../api/answers.js';

const COLORS: Record<Tier, string> = { public: 'green', personal: 'blue', sensitive: 'red' };

export const TierBadge = ({ tier }: { readonly tier: Tier }) => (
  <Badge color={COLORS[tier]} variant="light" tt="none" radius="sm">
    {tier}
  </Badge>
);
