import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { adviceOn, type ApiError } from '../api/api-error.js';

interface ErrorNoteProps {
  readonly error: ApiError;
  readonly onRetry?: () => void;
}

export const ErrorNote = ({ error, onRetry }: ErrorNoteProps) => (
  <Alert color="red" title={error.field ? `${error.field}: ${error.message}` : error.message} role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{adviceOn(error)}</Text>
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Stack>
  </Alert>
);

/** An empty state: what would be shown here, and what to do to get it. */
export const EmptyState = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Center py="xl">
    <Stack gap={4} align="center" maw="28rem" ta="center">
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" size="sm" component="div">
        {children}
      </Text>
    </Stack>
  </Center>
);

export const Loading = () => (
  <Center py="xl">
    <Loader aria-label="Loading" />
  </Center>
);

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly note?: ReactNode;
}

export const PageHead = ({ title, children, note }: PageHeadProps) => {
  useDocumentTitle(`${title} · Cairn`);
  return (
    <Stack gap={4} mb="md">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Group gap="xs">{children}</Group>
      </Group>
      {note && (
        <Text c="dimmed" size="sm">
          {note}
        </Text>
      )}
    </Stack>
  );
};

interface ListStateProps {
  readonly items: readonly unknown[] | undefined;
  readonly error: ApiError | undefined;
  readonly reload: () => void;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** Shows an error, a loading state, an empty state, or the list itself. */
export const ListState = ({ items, error, reload, empty, children }: ListStateProps) => {
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  if (!items) return <Loading />;
  return items.length === 0 ? empty : children;
};

interface MoreButtonProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
}

export const MoreButton = ({ hasMore, isLoading, loadMore }: MoreButtonProps) =>
  hasMore && (
    <Center mt="md">
      <Button variant="default" loading={isLoading} onClick={loadMore}>
        Show more
      </Button>
    </Center>
  );
