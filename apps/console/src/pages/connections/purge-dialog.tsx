import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { Question } from '../../ui/question.js';
import { StoredText } from '../../ui/stored-text.js';
import { purgeResult } from './connector-words.js';

interface PurgeDialogProps {
  readonly account: Account;
  readonly onPurged: (result: string) => void;
  readonly onClose: () => void;
}

/** Lists what is deleted and what is kept before anything is deleted. */
export const PurgeDialog = ({ account, onPurged, onClose }: PurgeDialogProps) => {
  const api = useApi();
  const [before, setBefore] = useState('');
  const [keepAggregates, setKeepAggregates] = useState(true);
  const purge = async (): Promise<void> => {
    const body = { keepAggregates, ...(before === '' ? {} : { before }) };
    onPurged(purgeResult(await api.call('POST /accounts/{id}/purge', { id: account.id, body })));
  };
  return (
    <Question title="Purge imported rows?" action="Purge" isDangerous onConfirm={purge} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">
          The rows of <StoredText>{account.label}</StoredText> are erased like anything that is forgotten: this cannot
          be undone, and importing the same file again does not bring them back.
        </Text>
        <TextInput
          label="Only rows before"
          description="Empty: all of them."
          type="date"
          value={before}
          onChange={(event) => setBefore(event.currentTarget.value)}
        />
        <Switch
          label="Keep daily totals"
          checked={keepAggregates}
          onChange={(event) => setKeepAggregates(event.currentTarget.checked)}
        />
        <Text size="sm" role="status" aria-label="What stays">
          {keepAggregates
            ? 'What stays: the account, and the totals of each day, which still answer questions about sums and counts.'
            : 'What stays: the account alone. Questions about these rows have no answer afterwards.'}
        </Text>
      </Stack>
    </Question>
  );
};
