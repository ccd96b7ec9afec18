import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-load.js';
import type { Folder, NewToken } from '../../api/answers.js';
import { CHOICES } from '../../api/gateway-api.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import classes from './issue-form.module.css';
import { newTokenOf, type TokenDraft } from './new-token.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface IssueFormProps {
  readonly folders: readonly Folder[];
  readonly onIssued: (secret: string) => void;
  readonly onCancel: () => void;
}

const DRAFT: TokenDraft = {
  name: '',
  agentId: '',
  scopes: ['read'],
  reach: 'all',
  folderIds: [],
  rate: '1000',
  restRate: '',
  expiresAt: '',
};

export const IssueForm = ({ folders, onIssued, onCancel }: IssueFormProps) => {
  const api = useApi();
  const [draft, setDraft] = useState(DRAFT);
  const [problem, setProblem] = useState<{ field: string; message: string }>();
  const set = (change: Partial<TokenDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const { run, isBusy, error } = useAction(async (body: NewToken) => {
    onIssued((await api.call('POST /tokens', { body })).token);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = newTokenOf(draft);
    setProblem(result.problem);
    if (result.token) run(result.token);
  };
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={120}
          value={draft.name}
          data-autofocus
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Agent"
          description="Whose name its writes carry; made up when empty."
          maxLength={64}
          value={draft.agentId}
          onChange={(event) => set({ agentId: event.currentTarget.value })}
        />
        <Checkbox.Group
          label="Scopes"
          value={[...draft.scopes]}
          error={errorOf('scopes')}
          onChange={(scopes) => set({ scopes: scopes })}
        >
          <Group mt={4} gap="sm">
            {CHOICES['POST /tokens'].scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </Group>
        </Checkbox.Group>
        <Radio.Group
          label="Sees"
          value={draft.reach}
          onChange={(reach) => set({ reach: reach === 'all' ? 'all' : 'folders' })}
        >
          <Group mt={4}>
            <Radio value="all" label="The whole library" />
            <Radio value="folders" label="Some folders" />
          </Group>
        </Radio.Group>
        {draft.reach === 'folders' && (
          <Checkbox.Group
            label="Folders"
            value={[...draft.folderIds]}
            error={errorOf('folderIds')}
            onChange={(folderIds) => set({ folderIds })}
          >
            <Group mt={4}>
              {folders.map(({ id, name }) => (
                <Checkbox key={id} className={classes.folder ?? ''} value={id} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        <Group grow preventGrowOverflow={false} align="flex-start">
          <TextInput
            label="Calls per hour"
            description="Empty: no limit."
            inputMode="numeric"
            value={draft.rate}
            error={errorOf('rate')}
            onChange={(event) => set({ rate: event.currentTarget.value })}
          />
          <TextInput
            label="REST requests per hour"
            description="Empty: the default."
            inputMode="numeric"
            value={draft.restRate}
            error={errorOf('restRate')}
            onChange={(event) => set({ restRate: event.currentTarget.value })}
          />
          <TextInput
            label="Expires"
            description="Empty: the default life."
            type="datetime-local"
            value={draft.expiresAt}
            error={errorOf('expiresAt')}
            onChange={(event) => set({ expiresAt: event.currentTarget.value })}
          />
        </Group>
        {error && <ErrorNote error={error} />}
        <DialogActions onCancel={onCancel}>
          <Button type="submit" loading={isBusy}>
            Issue
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
};
