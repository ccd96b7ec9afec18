import { echoed, fail, SERIES_FILE_COLUMNS_MAX } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

/** The fault of a file of rows, and its place. The header is row 1, as in a spreadsheet. */
export const fileFault = (
  message: string,
  place: { readonly row?: number; readonly column?: string } = {},
): AppError => {
  const column = place.column === undefined ? undefined : echoed(place.column);
  const where = [
    ...(place.row === undefined ? [] : [`row ${place.row}`]),
    ...(column === undefined ? [] : [`column "${column}"`]),
  ].join(', ');
  return fail('series.file_invalid', `${where}${where && ': '}${message}; nothing was imported`, {
    field: 'file',
    ...(place.row !== undefined && { row: place.row }),
    ...(column !== undefined && { column }),
  });
};

export const tooManyColumns = (row: number): AppError =>
  fileFault(`must have at most ${SERIES_FILE_COLUMNS_MAX} columns`, { row });
