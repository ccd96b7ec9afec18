// Markdown pieces that the reference pages share.

const cell = (value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');

export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A JSON schema in a few words. */
export const typeOf = (schema) => {
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}${bounds(schema, 'Items')}`;
  if (schema.type === 'object') return `{ ${Object.keys(schema.properties ?? {}).join(', ')} }`;
  if (schema.type === 'string')
    return `${schema.format ?? schema.contentEncoding ?? 'string'}${bounds(schema, 'Length')}`;
  if (schema.type === 'integer' || schema.type === 'number')
    return `${schema.type}${range(schema.minimum, schema.maximum)}`;
  return schema.type ?? 'any';
};

const SAFE = Number.MAX_SAFE_INTEGER;

const range = (min, max) => {
  const low = min === undefined || min === -SAFE ? undefined : min;
  const high = max === undefined || max === SAFE ? undefined : max;
  if (low === undefined && high === undefined) return '';
  return ` ${low ?? ''}..${high ?? ''}`;
};

const bounds = (schema, unit) => range(schema[`min${unit}`], schema[`max${unit}`]);

/** One row per field; fields of nested objects and lists of objects follow with a dotted name. */
export const fieldRows = (schema, { prefix = '', withMeaning = false } = {}) => {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = property.type === 'array' ? property.items : property;
    const path = `${prefix}${name}${property.type === 'array' && inner?.type === 'object' ? '[]' : ''}`;
    const isNeeded = required.includes(name) && property.default === undefined;
    const fallback = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
    const row = withMeaning
      ? [`\`${path}\``, typeOf(property), isNeeded ? 'yes' : 'no', fallback, property.description ?? '']
      : [`\`${path}\``, typeOf(property), isNeeded ? 'yes' : 'no'];
    const nested = inner?.type === 'object' ? fieldRows(inner, { prefix: `${path}.`, withMeaning }) : [];
    return [row, ...nested];
  });
};
