import type { DomNode } from 'html-to-text';

export const attributesOf = ({ attribs }: DomNode): Readonly<Record<string, string>> =>
  (attribs ?? {}) as Readonly<Record<string, string>>;

/** `isHidden`, for elements that the library skips. Rows and lists call it themselves, because they count their children. */
export const HIDDEN_SELECTORS = ['[hidden]', '[style*="display:none" i]', '[style*="display: none" i]'];

export const isHidden = (node: DomNode): boolean => {
  const { hidden, style = '' } = attributesOf(node);
  return hidden !== undefined || /display: ?none/i.test(style);
};

/** Whether a reader sees anything of these nodes, apart from the elements that do not count. */
export const hasText = (nodes: readonly DomNode[], except: ReadonlySet<string> = new Set()): boolean =>
  nodes.some((node) => {
    if (node.type === 'text') return (node.data ?? '').trim() !== '';
    if (node.type !== 'tag' || except.has(node.name ?? '') || isHidden(node)) return false;
    return node.name === 'img' ? Boolean(attributesOf(node)['alt']) : hasText(node.children, except);
  });

export const holds = (node: DomNode, names: ReadonlySet<string>): boolean =>
  (node.children ?? []).some((child) => names.has(child.name ?? '') || holds(child, names));

export const oneLine = (block: string): string => block.replace(/[ \t\n]+/g, ' ').trim();
