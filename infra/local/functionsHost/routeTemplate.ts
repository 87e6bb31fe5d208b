import { constraintOf, type Constraint } from './routeConstraint.js';

interface Parameter {
  readonly name: string;
  readonly isCatchAll: boolean;
  readonly isOptional: boolean;
  readonly fallback: string | undefined;
  readonly constraints: readonly Constraint[];
}
type Part = string | Parameter;

/** A compiled route template: the values of its parameters for a path, or undefined when the path does not fit. */
export type RouteMatcher = (path: string) => Readonly<Record<string, string>> | undefined;

/** Cuts a text at each separator that stands outside parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === separator && depth === 0) {
      pieces.push(piece);
      piece = '';
    } else piece += character;
  }
  return [...pieces, piece];
}

/** Reads what stands inside one pair of braces: `*name`, `name:constraint:constraint=default`, `name?`. */
function parseParameter(text: string): Parameter {
  const isCatchAll = text.startsWith('*');
  const isOptional = text.endsWith('?');
  const body = text.replace(/^\*{1,2}/, '').replace(/\?$/, '');
  const [declaration = '', fallback] = splitOutside(body, '=');
  const [name = '', ...constraints] = splitOutside(declaration, ':');
  if (!/^[^/{}*?]+$/.test(name)) throw new Error(`The route parameter "{${text}}" has no valid name.`);
  return { name, isCatchAll, isOptional, fallback, constraints: constraints.map(constraintOf) };
}

/** Index of the brace that closes the one before `start`; doubled braces belong to the parameter. */
function closingBrace(segment: string, start: number): number {
  for (let index = start; index < segment.length; index += 1) {
    if (segment[index] !== '}') continue;
    if (segment[index + 1] !== '}') return index;
    index += 1;
  }
  throw new Error(`A brace of the route "${segment}" is not closed.`);
}

const undoubled = (text: string): string => text.replaceAll('{{', '{').replaceAll('}}', '}');

/** Cuts a template into literals (slashes included) and parameters. */
function parseTemplate(template: string): Part[] {
  const parts: Part[] = [];
  let literal = '';
  for (let index = 0; index < template.length; index += 1) {
    const two = template.slice(index, index + 2);
    if (two === '{{' || two === '}}') {
      literal += two.charAt(0);
      index += 1;
    } else if (two.startsWith('{')) {
      const end = closingBrace(template, index + 1);
      if (literal !== '') parts.push(literal);
      parts.push(parseParameter(undoubled(template.slice(index + 1, end))));
      literal = '';
      index = end;
    } else literal += two.charAt(0);
  }
  return literal === '' ? parts : [...parts, literal];
}

const escape = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const canBeAbsent = (part: Part): boolean =>
  typeof part !== 'string' && (part.isCatchAll || part.isOptional || part.fallback !== undefined);

/**
 * The expression of the parts; a last parameter that may be absent takes the slash before it along. A catch-all takes
 * empty segments, but not as its first.
 */
function expressionOf(parts: readonly Part[]): RegExp {
  const sources = parts.map((part, index) => {
    if (typeof part !== 'string') return part.isCatchAll ? '((?!/).*)' : '([^/]+)';
    const next = parts[index + 1];
    const opensOptional = next !== undefined && canBeAbsent(next) && index + 2 === parts.length && part.endsWith('/');
    return opensOptional ? `${escape(part.slice(0, -1))}(?:/` : escape(part);
  });
  const closing = sources.some((source) => source.endsWith('(?:/')) ? ')?' : '';
  return new RegExp(`^${sources.join('')}${closing}/?$`, 'is');
}

const satisfies = (parameter: Parameter, value: string | undefined): boolean =>
  value === undefined || parameter.constraints.every((constraint) => constraint(value));

/**
 * Compiles an ASP.NET route template as the functions host understands it: literals without case, literal colons,
 * mixed segments such as `{id}:create` (greedy), `{x?}`, `{x=default}`, `{*rest}`, inline constraints, `{{` and `}}`,
 * an optional slash at the end. The path is the decoded one and begins with a slash.
 */
export function compileRoute(template: string): RouteMatcher {
  const parts = parseTemplate(`/${template.replace(/^\/|\/$/g, '')}`);
  const parameters = parts.filter((part) => typeof part !== 'string');
  const expression = expressionOf(parts);
  return (path) => {
    const match = expression.exec(path);
    if (match === null) return undefined;
    const values: Record<string, string> = {};
    for (const [index, parameter] of parameters.entries()) {
      const text = match[index + 1] === '' ? undefined : match[index + 1];
      if (!satisfies(parameter, text)) return undefined;
      const value = text ?? parameter.fallback;
      if (value !== undefined) values[parameter.name] = value;
    }
    return values;
  };
}
