import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState, PageHead } from '../ui/states.js';
import { StoredText } from '../ui/stored-text.js';
import { useRights, useSession } from './session.js';

interface ForAdminsProps {
  /** The heading of the page, also shown to users who may not see the rest. */
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * A page that only an administrator can use. Other users reach it only by its address, and see what their token lacks.
 */
export const ForAdmins = ({ title, children }: ForAdminsProps) => {
  const { isAdmin, agentId, scopes } = useRights();
  const { signOut } = useSession();
  if (isAdmin) return children;
  return (
    <>
      <PageHead title={title} />
      <EmptyState title="This page needs a token with the admin scope">
        <Text size="sm" mb="md">
          You are signed in as <StoredText>{agentId}</StoredText>; this token has {scopes.join(', ')}.
        </Text>
        <Button variant="default" onClick={signOut}>
          Sign in with another token
        </Button>
      </EmptyState>
    </>
  );
};
