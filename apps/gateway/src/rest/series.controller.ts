import {
  DayOrTime,
  fail,
  FILE_BYTES_MAX,
  ImportObservations,
  PurgeObservations,
  SERIES_FILE_ROWS_MAX,
} from '@cairn/contracts';
import { instantOf } from '@cairn/graph';
import { Body, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { ConnectorRegistry } from '../connectors/connector-registry.js';
import { idParam } from './common.schema.js';
import { importSeries, purgeSeries } from './import-series.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { AcceptsUpload, Upload } from './upload.interceptor.js';

const noFields = z.strictObject({});

const purge = z.strictObject({
  before: DayOrTime.optional().describe('A UTC day or an ISO-8601 time: rows before it go. All rows when left out.'),
  keepAggregates: z.boolean().default(true).describe('Whether the daily totals of the rows stay.'),
});

/** Rows of connected sources: importing them from files, and purging them. */
@RestController('accounts', { access: 'admin' })
export class SeriesController {
  constructor(private readonly registry: ConnectorRegistry) {}

  @Post('{:id}/import')
  @Operation({
    summary: 'Import a file of rows into an account',
    note:
      `A form with a file (.csv .json) of up to ${FILE_BYTES_MAX} bytes and ${SERIES_FILE_ROWS_MAX} rows. A file with a fault ` +
      'is refused as a whole. Rows that are there already, or were purged, are counted as duplicates: a request that was ' +
      'cut off can be sent again.',
    answer: ImportObservations.result,
    takesKey: true,
  })
  @AcceptsUpload(noFields)
  async import(
    @Body() body: unknown,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() call: RestCall,
  ) {
    const { connectorId } = await call.cairn.query('account.get', { accountId: id });
    if (!(body instanceof Upload))
      throw fail('route.unsupported_media', 'the file must be sent as multipart/form-data, in the field file', {
        field: 'file',
      });
    const parse = this.registry.find(connectorId)?.parse;
    if (!parse) throw fail('series.import_unsupported', 'the connector of this account reads no files of rows');
    const { fileName: name, bytes } = body.file;
    return importSeries(call, id, await parse({ name, bytes }));
  }

  @Post('{:id}/purge')
  @Operation({
    summary: 'Forget the rows of an account for good, and keep their daily totals or not',
    note: 'The rows are forgotten like any item, with receipts. Importing their file again does not bring them back.',
    answer: PurgeObservations.result.pick({ rows: true, rollups: true, position: true }),
    takesKey: true,
  })
  purge(
    @Body({ schema: purge }) { before, keepAggregates }: z.output<typeof purge>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() call: RestCall,
  ) {
    const limit = before === undefined ? {} : { before: instantOf(before) };
    return purgeSeries(call, { accountId: id, ...limit, keepAggregates });
  }
}
