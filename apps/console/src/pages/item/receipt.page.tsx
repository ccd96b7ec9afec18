import { Anchor, Card, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { PageHead } from '../../ui/states.js';
import { Receipt } from './receipt.js';

export const ReceiptPage = ({ receiptId }: { readonly receiptId: string }) => (
  <Stack>
    <Anchor component={Link} href="/activity" size="sm">
      ← Activity
    </Anchor>
    <PageHead
      title="Receipt of a forgetting"
      note="Its signature can be checked with the key of GET /api/v1/receipts/key."
    />
    <Card withBorder padding="md">
      <Receipt receiptId={receiptId} />
    </Card>
  </Stack>
);
