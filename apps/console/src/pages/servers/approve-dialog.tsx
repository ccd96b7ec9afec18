import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction, useLoad } from '../../api/use-load.js';
import type { Server, ServerTool } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { plural } from '../../ui/format.js';
import { EmptyState, ErrorNote, ListState } from '../../ui/states.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './servers.module.css';
import { approvalOf, toApprove } from './tool-states.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface ApproveDialogProps {
  readonly server: Server;
  readonly onApproved: () => void;
  readonly onClose: () => void;
}

interface ToolChoiceProps {
  readonly tool: ServerTool;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

const Definition = ({ summary, shown }: { readonly summary: string; readonly shown: object }) => (
  <details className={classes.details}>
    <summary>{summary}</summary>
    <pre className={classes.schema} dir="auto">
      {JSON.stringify(shown, null, 2)}
    </pre>
  </details>
);

/** A tool as a model would see it: exactly this text is approved. */
const ToolChoice = ({ tool, isChosen, onChoose }: ToolChoiceProps) => (
  <li className={classes.choice}>
    <Group gap="xs">
      <Checkbox label={tool.name} checked={isChosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
      <SmallBadge color={tool.wasApproved ? 'yellow' : 'blue'}>{tool.wasApproved ? 'changed' : 'new'}</SmallBadge>
    </Group>
    <Text component="div" size="sm" mt={4}>
      <StoredText isBlock>{tool.description}</StoredText>
    </Text>
    <Definition summary={`Arguments of ${tool.name}`} shown={tool.inputSchema} />
    {tool.approved && <Definition summary={`${tool.name} as it was approved`} shown={tool.approved} />}
  </li>
);

/**
 * The changed and new tools, as the server describes them now. None is preselected: a person has to read them first.
 */
export const ApproveDialog = ({ server, onApproved, onClose }: ApproveDialogProps) => {
  const api = useApi();
  const [chosen, setChosen] = useState<readonly ServerTool[]>([]);
  const { data, error, reload } = useLoad(`tools:${server.id}`, () =>
    api.call('GET /mcp-servers/{id}/tools', { id: server.id }),
  );
  const tools = data && toApprove(data.items);
  const approval = useAction(async () => {
    await api.call('POST /mcp-servers/{id}/approve', { id: server.id, body: approvalOf(chosen) });
    onApproved();
  });
  const choose = (tool: ServerTool, isChosen: boolean): void =>
    setChosen((before) => (isChosen ? [...before, tool] : before.filter((one) => one !== tool)));
  return (
    <Modal opened onClose={onClose} title={`Approve tools of ${server.name}`} size="lg">
      <Stack>
        <Text size="sm">
          Your agents read these descriptions and follow them. Read each one as it is now, and approve a tool only if
          you would give your agents these instructions yourself.
        </Text>
        <ListState
          items={tools}
          error={error}
          reload={reload}
          empty={<EmptyState title="Nothing is left to approve">Every tool of this server is offered.</EmptyState>}
        >
          <ul className={classes.choices} aria-label="Tools to approve">
            {tools?.map((tool) => (
              <ToolChoice
                key={tool.name}
                tool={tool}
                isChosen={chosen.includes(tool)}
                onChoose={(isChosen) => choose(tool, isChosen)}
              />
            ))}
          </ul>
        </ListState>
        {approval.error && <ErrorNote error={approval.error} />}
        <DialogActions onCancel={onClose}>
          <Button variant="default" onClick={() => setChosen(tools ?? [])}>
            Choose all
          </Button>
          <Button disabled={chosen.length === 0} loading={approval.isBusy} onClick={() => approval.run()}>
            Approve {plural(chosen.length, 'tool')}
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
};
