import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Confirmation } from '../api/answers.js';
import classes from './banner.module.css';
import { isCut, WaitingMemory } from './waiting-memory.js';

interface ConfirmationQuestionProps {
  readonly confirmation: Confirmation;
  readonly titleId: string;
  readonly isBusy: boolean;
  readonly onUse: (folderId: string, name: string) => void;
}

const percent = (score: number): string => `${Math.round(score * 100)} %`;

export const ConfirmationQuestion = ({ confirmation, titleId, isBusy, onUse }: ConfirmationQuestionProps) => {
  const { id, suggestedName, candidates, agentId } = confirmation;
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Text id={titleId} fw={600}>
        Where does this memory belong?
      </Text>
      <WaitingMemory memory={confirmation} isWhole={isWhole} />
      <Text size="sm" c="dimmed" mt={4} className={classes.stored}>
        <bdi>{agentId}</bdi> asked for “<bdi>{suggestedName}</bdi>”.{' '}
        {candidates.length > 0 ? 'Close names:' : 'No folder has a similar name.'}
      </Text>
      {candidates.length > 0 && (
        <ol className={classes.candidates}>
          {candidates.map(({ folderId, name, match, score }) => (
            <li key={folderId} className={classes.candidate}>
              <Button
                size="xs"
                className={classes.name ?? ''}
                disabled={isBusy}
                aria-describedby={`${id}-${folderId}`}
                onClick={() => onUse(folderId, name)}
              >
                <bdi>{name}</bdi>
              </Button>
              <Text size="xs" c="dimmed" id={`${id}-${folderId}`}>
                {match} · {percent(score)}
              </Text>
            </li>
          ))}
        </ol>
      )}
      {/* Follows the candidates, so the first Tab reaches the best candidate. */}
      {isCut(confirmation) && (
        <details className={classes.other} onToggle={(event) => setWhole(event.currentTarget.open)}>
          <summary>{isWhole ? 'Show less of the text' : 'Show more of the text'}</summary>
        </details>
      )}
    </>
  );
};
