/** Attributes of an element; numbers are written with at most two decimals, undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text with the characters escaped that an element or an attribute cannot hold. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

/** One SVG element. @param children markup that is escaped already */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? number(value) : escaped(value)}"`],
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

const number = (value: number): string => String(Math.round(value * 100) / 100 + 0);

/** A text element. */
export const textElement = (content: string, attributes: Attributes): string =>
  element('text', attributes, escaped(content));

/** A point of a picture, in its pixels. */
export interface PointXY {
  readonly x: number;
  readonly y: number;
}

/** `M x y L x y …` of a line through points. */
export const pathOf = (points: readonly PointXY[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${number(x)} ${number(y)}`).join('');
