import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, Uuid } from '@cairn/contracts';
import { z } from 'zod';

export const idParam = z.strictObject({ id: Uuid });

export const pageFields = {
  limit: z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).describe('Entries per page.'),
  cursor: z.string().max(200).optional().describe('The nextCursor of the page before.'),
};

export const pageQuery = z.strictObject(pageFields);
