import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

interface SmallBadgeProps {
  readonly color: string;
  readonly children: ReactNode;
  readonly title?: string;
}

/** A short label, without a change of case. */
export const SmallBadge = ({ color, children, title }: SmallBadgeProps) => (
  <Badge size="sm" variant="light" color={color} tt="none" radius="sm" title={title}>
    {children}
  </Badge>
);
