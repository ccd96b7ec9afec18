import { Badge, Stack, Text } from '@mantine/core';
import type { AnswerTo } from '../../api/answers.js';
import { ErrorNote, Loading } from '../../ui/states.js';
import { When } from '../../ui/when.js';
import classes from './receipt.module.css';
import { useReceipt } from './use-receipt.js';

const STAGES = [
  ['invisible', 'No reader finds it'],
  ['shredded', 'Keys, messages and rows are gone'],
  ['purged', 'The last bytes on disk are gone'],
] as const;

type ReceiptAnswer = AnswerTo<'GET /receipts/{id}'>;

const Stages = ({ stages }: Pick<ReceiptAnswer, 'stages'>) => (
  <ol className={classes.stages} aria-label="Stages">
    {STAGES.map(([stage, label]) => (
      <li key={stage} data-stage={stage}>
        <Badge size="sm" variant="light" color={stages[stage] === null ? 'gray' : 'teal'} tt="none">
          {stages[stage] === null ? 'waiting' : 'done'}
        </Badge>{' '}
        {label}
        {stages[stage] !== null && (
          <>
            , <When at={stages[stage]} />
          </>
        )}
      </li>
    ))}
  </ol>
);

const Signed = ({ receipt }: { readonly receipt: NonNullable<ReceiptAnswer['receipt']> }) => (
  <>
    <ul className={classes.stores} aria-label="Stores">
      {receipt.stores.map(({ store, method, result }) => (
        <li key={`${store}:${method}`}>
          <strong>{store}</strong>: {result} ({method})
        </li>
      ))}
    </ul>
    <dl className={classes.facts}>
      <dt>Issued</dt>
      <dd>{receipt.issuedAt}</dd>
      <dt>Key</dt>
      <dd>{receipt.keyId}</dd>
      <dt>Signature</dt>
      <dd>{receipt.signature}</dd>
    </dl>
  </>
);

/** The progress of a forgetting, updated while it is in view, and the signed receipt once nothing is left. */
export const Receipt = ({ receiptId }: { readonly receiptId: string }) => {
  const { state, error } = useReceipt(receiptId);
  if (error) return <ErrorNote error={error} />;
  if (!state) return <Loading />;
  return (
    <Stack gap="xs" component="section" aria-label="Receipt">
      <Text size="sm" fw={600}>
        Receipt <span className={classes.number}>{receiptId}</span>
      </Text>
      <Stages stages={state.stages} />
      {state.receipt ? (
        <Signed receipt={state.receipt} />
      ) : (
        <Text size="sm" c="dimmed" role="status">
          It is signed once nothing is left anywhere, within a day. You need not wait: Activity keeps a link to it.
        </Text>
      )}
    </Stack>
  );
};
