import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Op } from '../../api/answers.js';
import classes from './op.module.css';

/** The raw op for readers who want the details: plain text, rendered when it is opened. */
export const OpDetails = ({ op }: { readonly op: Op }) => {
  const [isOpen, setOpen] = useState(false);
  const { receiptId } = op.data;
  return (
    <>
      {typeof receiptId === 'string' && (
        <Anchor component={Link} href={`/receipts/${encodeURIComponent(receiptId)}`} size="xs">
          Receipt
        </Anchor>
      )}
      <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Details</summary>
        {isOpen && (
          <pre className={classes.data} dir="auto">
            {JSON.stringify(op.data, null, 2)}
          </pre>
        )}
      </details>
    </>
  );
};
