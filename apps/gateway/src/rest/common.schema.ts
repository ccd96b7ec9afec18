import { CURSOR_CHARS_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, text, Uuid } from '@cairn/contracts';
import { z } from 'zod';

export const idParam = z.strictObject({ id: Uuid });

export const pageFields = {
  limit: z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).describe('Entries per page.'),
  cursor: text(1, CURSOR_CHARS_MAX).optional().describe('The nextCursor of the page before.'),
};

export const pageQuery = z.strictObject(pageFields);
