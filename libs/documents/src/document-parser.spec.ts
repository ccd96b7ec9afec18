import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { FILE_BYTES_MAX, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { bytesOf, docxOf, docxOfBody, pdfOf } from '@cairn/testing';
import { DocumentParser } from './document-parser.js';

const parser = new DocumentParser();
afterAll(() => parser.close());

const CALLER = { workspaceId: 'workspace', tokenId: 'token' };
const parse = (fileName: string, content: string | Uint8Array) =>
  parser.parse({ fileName, bytes: typeof content === 'string' ? bytesOf(content) : content }, CALLER);

const textOf = async (fileName: string, content: string | Uint8Array): Promise<string> =>
  (await parse(fileName, content)).text;

const utf16 = (text: string, bigEndian = false): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes);
};

describe('plain text', () => {
  it.each([
    ['UTF-8', bytesOf('Grüße, 漢字 😀')],
    ['UTF-8 with a byte order mark', bytesOf('\ufeffGrüße, 漢字 😀')],
    ['UTF-16 with a byte order mark', utf16('Grüße, 漢字 😀')],
    ['big-endian UTF-16 with a byte order mark', utf16('Grüße, 漢字 😀', true)],
  ])('is read as %s', async (_, bytes) => {
    expect(await parse('Notes.TXT', bytes)).toEqual({ format: 'txt', text: 'Grüße, 漢字 😀' });
  });

  it('in another encoding is refused, with the remedy', async () => {
    await expect(parse('a.md', Uint8Array.of(0x47, 0xfc, 0x6e))).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining('save it as UTF-8'),
    });
  });

  it('loses carriage returns and control characters, keeps tabs and form feeds, and is normalised', async () => {
    expect(await textOf('a.txt', 'a\r\nb\rc\u0000\u0007\t\fe\u0301\u007f\u0080\u009f')).toBe('a\nb\nc\t\fé');
    expect(await textOf('a.txt', 'a\u0085b')).toBe('a\nb');
  });

  it('keeps Markdown as it is', async () => {
    expect(await textOf('a.md', '# One\n\n- two\n')).toBe('# One\n\n- two\n');
  });

  it.each(['', ' \n\u0000 '])('without any text is refused: %j', async (content) => {
    await expect(parse('a.txt', content)).rejects.toMatchObject({ code: 'file.unreadable' });
  });

  it('is read up to the text limit of an item, counted in characters', async () => {
    expect(await textOf('a.txt', '😀'.repeat(ITEM_TEXT_CHARS_MAX))).toHaveLength(2 * ITEM_TEXT_CHARS_MAX);
    for (const unit of ['x', '漢', '😀']) {
      await expect(parse('a.txt', unit.repeat(ITEM_TEXT_CHARS_MAX + 1))).rejects.toMatchObject({
        code: 'input.too_large',
        message: expect.stringContaining('500000'),
        details: { field: 'file', limit: ITEM_TEXT_CHARS_MAX },
      });
    }
  });
});

describe('CSV', () => {
  it('keeps its text, with a row on each line', async () => {
    const csv = 'name;note\r\nAnn;"two\r\nlines; one ""cell"""\r\n\r\nBo;5" pipe\r\n';
    expect(await textOf('a.csv', csv)).toBe('name;note\nAnn;"two lines; one ""cell"""\nBo;5" pipe\n');
  });

  it('with an unclosed quote is refused with the line number', async () => {
    await expect(parse('a.csv', 'a,b\nc,"d\ne\n')).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringMatching(/not valid CSV near line \d/),
    });
  });
});

describe('JSON', () => {
  it('on one line is formatted, its numbers and strings unchanged', async () => {
    const json = '{"id":12345678901234567890,"tags":["a b","{\\"c\\"}"],"none":{},"list":[[],1.50]}';
    const text = await textOf('a.json', json);
    expect(text).toBe(
      '{\n  "id": 12345678901234567890,\n  "tags": [\n    "a b",\n    "{\\"c\\"}"\n  ],\n  "none": {},\n  "list": [\n    [],\n    1.50\n  ]\n}',
    );
    expect(JSON.parse(text)).toEqual(JSON.parse(json));
  });

  it('with line breaks keeps them', async () => {
    expect(await textOf('a.json', '{ "a":\n1 }\n')).toBe('{ "a":\n1 }');
  });

  it.each([
    ['not JSON', '{"a": nope}', 'not valid JSON'],
    ['truncated', '{"a": [1', 'not valid JSON'],
    ['nested too deeply', '['.repeat(101) + ']'.repeat(101), 'deeper than 100'],
    ['nested far too deeply', '['.repeat(1_000_000), 'deeper than 100'],
  ])('that is %s is refused', async (_, content, message) => {
    await expect(parse('a.json', content)).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining(message),
    });
  });
});

describe('HTML', () => {
  const HTML = `<!doctype html><html><head><title>  The &amp;
    title </title><style>p { color: red }</style></head><body><script>alert('x')</script>
    <h1>One <em>two</em></h1><p>Text with a <a href="https://example.com/x">link</a>.<img alt="A cat" src="c.png"></p>
    <h3>Three</h3><ul><li>first</li><li>second</li></ul><ol><li>eins</li></ol>
    <table><thead><tr><th>Name</th><th>Age</th></tr></thead><tr><td>Ann<br>B.</td><td>42</td></tr></table></body></html>`;

  it('becomes text with headings, lists, rows and links, without scripts and styles', async () => {
    expect(await parse('a.html', HTML)).toEqual({
      format: 'html',
      title: 'The & title',
      text: [
        '# One two',
        '',
        'Text with a link.A cat',
        '',
        '### Three',
        '',
        '- first',
        '- second',
        '',
        ' 1. eins',
        '',
        'Name | Age',
        'Ann B. | 42',
      ].join('\n'),
    });
  });

  it('inside a layout table keeps its blocks', async () => {
    const html = '<table><tr><td><h2>Menu</h2><p>One</p></td><td><p>Two</p></td></tr></table>';
    expect(await textOf('a.html', html)).toBe('## Menu\n\nOne\n\nTwo');
  });

  it('keeps a row of a table on one line, whatever its cells hold', async () => {
    const rows = [
      '<th>Name</th><th><h4>Notes</h4></th><th>Age</th>',
      '<td><p>Ann</p><p>Bee</p></td><td>red<br>green<ul><li>one</li><li>two</li></ul></td><td><div>4</div><div>2</div></td>',
      '<td> </td><td></td><td><br></td>',
      '<td>Cy</td><td></td><td><pre>1\n   2</pre></td>',
    ];
    const html = `<p>Before</p><table>${rows.map((row) => `<tr>${row}</tr>`).join('\n')}</table><p>After</p>`;
    expect(await textOf('a.html', html)).toBe(
      'Before\n\nName | Notes | Age\nAnn Bee | red green - one - two | 4 2\nCy | | 1 2\n\nAfter',
    );
  });

  it('flattens a nested table, and reads a table with only a frame around it unchanged', async () => {
    const inner = '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>';
    const row = `<tr><td>Left</td><td><p>In:</p>${inner}</td><td>Right</td></tr>`;
    expect(await textOf('a.html', `<table>${row}${row}</table>`)).toBe(
      'Left | In: 1 2 3 4 | Right\nLeft | In: 1 2 3 4 | Right',
    );
    expect(await textOf('a.html', `<table><tr><td>&nbsp;</td><td>${inner}</td></tr></table>`)).toBe('1 | 2\n3 | 4');
    const nested = (depth: number): string =>
      depth === 0 ? 'end' : `<table><tr><td>${depth}</td><td>${nested(depth - 1)}</td></tr></table>`;
    expect(await textOf('a.html', nested(200))).toMatch(/^200 \| 199 198 [ \d]* 1 end$/);
  });

  it.each([
    [
      'is declared as layout',
      '<table role="presentation"><tr><td><p>One</p><p>Two</p></td><td>Three</td></tr></table>',
    ],
    ['is a frame', '<table><tbody><tr><td><p>One</p><p>Two</p><p>Three</p></td></tr></tbody></table>'],
  ])('inside a table that %s keeps its paragraphs', async (_, html) => {
    expect((await textOf('a.html', html)).split(/\n+/)).toEqual(['One', 'Two', 'Three']);
  });

  it('separates the words of adjacent controls and terms', async () => {
    const html =
      '<textarea>area</textarea><select><option>red</option><option>green</option></select><button>Yes</button>' +
      '<button>No</button><label>Name</label><input><label>Age</label><dl><dt>Term</dt><dd>Meaning</dd></dl>';
    expect(await textOf('a.html', html)).toBe('area red green Yes No Name Age\nTerm\nMeaning');
  });

  it('omits what a reader does not see', async () => {
    const html =
      '<p>a<iframe>frame</iframe><noscript>no script</noscript><template>template</template></p><h1 hidden>hidden</h1>' +
      '<div style="color: red; DISPLAY: none">none</div><ul><li hidden>no</li><li style="display:none">no</li><li>b</li></ul>' +
      '<table><tr><td>c</td><td hidden>no</td><td style="display:none">no</td><td>d</td></tr><tr hidden><td>no</td></tr></table>';
    expect(await textOf('a.html', html)).toBe('a\n\n- b\n\nc | d');
  });

  it('is read in the encoding that it declares', async () => {
    const bytes = Buffer.from('<meta charset="windows-1252"><p>Gr\u00fc\u00dfe</p>', 'latin1');
    expect(await textOf('a.html', new Uint8Array(bytes))).toBe('Grüße');
  });

  it.each([
    '<meta charset="windows-1252">',
    '<meta charset=latin1>',
    "<META CHARSET = 'us-ascii'>",
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
  ])('that declares %s has quotes, dashes and the euro sign, and no control characters', async (meta) => {
    const bytes = Buffer.from(`${meta}<p>\x93quoted\x94 \x96 \x80 5\x81\x9d</p>`, 'latin1');
    expect(await textOf('a.html', new Uint8Array(bytes))).toBe('“quoted” – € 5');
  });

  it.each(['<meta charset="windows-1250">', '<meta charset="iso-8859-2">'])(
    'that declares %s is read in that encoding',
    async (meta) => {
      const bytes = Buffer.from(`${meta}<p>\xe8</p>`, 'latin1');
      expect(await textOf('a.html', new Uint8Array(bytes))).toBe('č');
    },
  );

  it('without text is refused', async () => {
    await expect(parse('a.html', '<script>1</script>')).rejects.toMatchObject({ code: 'file.unreadable' });
  });
});

describe('PDF', () => {
  it('becomes text, a form feed between pages, with its title', async () => {
    const bytes = pdfOf(['First page\nwith (two) lines', 'Second page'], { title: 'A \\ title' });
    expect(await parse('a.pdf', bytes)).toEqual({
      format: 'pdf',
      title: 'A \\ title',
      text: 'First page\nwith (two) lines\fSecond page',
    });
  });

  it.each(['Untitled document', '   '])('has no title when its title is %j', async (title) => {
    expect(await parse('a.pdf', pdfOf(['x'], { title }))).toEqual({ format: 'pdf', text: 'x' });
  });

  it('printed by Word gets the name of the document as its title', async () => {
    expect(await parse('a.pdf', pdfOf(['x'], { title: 'Microsoft Word - Plan.docx' }))).toMatchObject({
      title: 'Plan',
    });
  });

  it.each([
    ['encrypted', pdfOf(['x'], { encrypted: true }), 'encrypted'],
    ['without text', pdfOf(['']), 'OCR'],
    ['not a PDF', bytesOf('hello'), 'no PDF'],
    ['damaged', pdfOf(['x']).slice(0, 100), 'damaged'],
  ])('that is %s is refused with the reason', async (_, bytes, word) => {
    await expect(parse('a.pdf', bytes)).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining(word),
    });
  });
});

describe('Word', () => {
  it('becomes text with its headings and its title', async () => {
    const bytes = docxOf(
      [
        { text: 'Report', style: 'Title' },
        { text: 'Findings', style: 'Heading1' },
        { text: 'Nothing &amp; more.' },
        { text: 'Details', style: 'Heading2' },
        { text: 'None.' },
      ],
      'Annual &amp; report',
    );
    expect(await parse('a.docx', bytes)).toEqual({
      format: 'docx',
      title: 'Annual & report',
      text: '# Report\n\n# Findings\n\nNothing & more.\n\n## Details\n\nNone.',
    });
  });

  it('keeps the rows of a table', async () => {
    const cell = (text: string): string => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const bytes = docxOfBody(
      `<w:tbl><w:tr>${cell('Name')}${cell('Age')}</w:tr><w:tr>${cell('Ann')}${cell('42')}</w:tr></w:tbl>`,
    );
    expect(await textOf('a.docx', bytes)).toBe('Name | Age\nAnn | 42');
  });

  it('keeps a row of a table on one line, whatever its cells hold', async () => {
    const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
    const table = (...rows: string[][]): string =>
      `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
    const paragraphs = `<w:p>${run('Ann')}</w:p><w:p>${run('Bee')}</w:p>`;
    const broken = `<w:p>${run('red')}<w:r><w:br/></w:r>${run('green')}</w:p>`;
    const inner = `${table([`<w:p>${run('1')}</w:p>`, `<w:p>${run('2')}</w:p>`])}<w:p/>`;
    const heading = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run('Name')}</w:p>`;
    const bytes = docxOfBody(table([heading, paragraphs], [paragraphs, broken], [broken, inner]));
    expect(await textOf('a.docx', bytes)).toBe('Name | Ann Bee\nAnn Bee | red green\nred green | 1 2');
  });

  it.each([
    ['an old .doc', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3), 'password'],
    ['not an archive', bytesOf('hello'), 'no Word document'],
    ['truncated', docxOf([{ text: 'x' }]).slice(0, -40), 'cut off'],
    ['another archive', docxOfBody(bytesOf('<w:document/>')), 'Word'],
  ])('that is %s is refused', async (_, bytes, word) => {
    await expect(parse('a.docx', bytes)).rejects.toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining(word),
    });
  });
});

describe('a file', () => {
  it.each(['a.exe', 'a', 'pdf', 'a.pdf.zip', 'a.doc', 'dir.pdf/a'])('named %s is not supported', async (fileName) => {
    await expect(parse(fileName, 'x')).rejects.toMatchObject({
      code: 'file.unsupported',
      message: expect.stringContaining('.txt .md .csv .json .html .pdf .docx'),
    });
  });

  it('whose content does not match its extension is refused', async () => {
    for (const format of ['txt', 'md', 'csv', 'json', 'html'])
      await expect(parse(`a.${format}`, pdfOf(['x']))).rejects.toMatchObject({ code: 'file.unreadable' });
  });

  it('above the size limit is refused with the limit', async () => {
    await expect(parse('a.pdf', new Uint8Array(FILE_BYTES_MAX + 1))).rejects.toMatchObject({
      code: 'input.too_large',
      details: { limit: FILE_BYTES_MAX },
    });
  });
});

describe('closing the parser', () => {
  it('stops an idle parser process before the program ends', async () => {
    const index = new URL('../dist/index.js', import.meta.url).href;
    const program = `
      const { DocumentParser } = await import(${JSON.stringify(index)});
      const parser = new DocumentParser();
      const file = { fileName: 'a.html', bytes: new TextEncoder().encode('<p>Tides</p>') };
      await parser.parse(file, { workspaceId: 'w', tokenId: 't' });
      await parser.close();
      console.log('closed');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe('closed\n');
  });
});
