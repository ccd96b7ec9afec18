// After a run with failures, prints the sentence and the source of every requirement that a failing test cites.
import { readFileSync } from 'node:fs';

const surfaces = /** @type {{ source: string, rows: Record<string, string> }[]} */ (
  JSON.parse(readFileSync(new URL('src/requirements.json', import.meta.url), 'utf8'))
);
const ROWS = new Map(
  surfaces.flatMap(({ source, rows }) => Object.entries(rows).map(([id, sentence]) => [id, `${sentence} (${source})`])),
);

/** The requirements that the titles cite, one line each, sorted by id. @param {readonly string[]} titles */
export const cited = (titles) => {
  const ids = titles.flatMap((title) => [...title.matchAll(/\[([A-Z]-\d{2}[a-z]?)\]/g)].map(([, id = '']) => id));
  return [...new Set(ids)].sort().map((id) => `  [${id}] ${ROWS.get(id) ?? 'is not in the manifest'}`);
};

export default class RequirementsReporter {
  /** @param {unknown} _contexts @param {{ testResults: { testResults: { status: string, fullName: string }[] }[] }} results */
  onRunComplete(_contexts, { testResults }) {
    const failed = testResults.flatMap((file) => file.testResults.filter(({ status }) => status === 'failed'));
    const lines = cited(failed.map(({ fullName }) => fullName));
    if (lines.length > 0) console.error(['\nRequirements that the failed tests cite:', ...lines].join('\n'));
  }
}
