import { ImportFault } from '../files/importFault.js';

/** The text in the bytes of a value; undefined where they are none of their code page. */
export type Decode = (bytes: Uint8Array) => string | undefined;

/**
 * The name of the code page that a .cpg file says. Decoders know it, or this file has its characters.
 *
 * @returns undefined where nothing is said
 * @throws ImportFault for a code page that is not known
 */
export function codePageOf(cpg: string | undefined): string | undefined {
  const said = (cpg ?? '').replaceAll('\0', '').trim().toLowerCase();
  const name = said === '' ? undefined : nameOf(said);
  if (name === undefined || name in UPPER_HALVES) return name;
  try {
    const { encoding } = new TextDecoder(name);
    if (!encoding.startsWith('utf-16')) return encoding;
  } catch {
    // Said below.
  }
  const shown = said.slice(0, 40).replaceAll(/\p{C}/gu, '?');
  throw new ImportFault(`The .cpg file names the code page ${shown}, which is not known. ${REWRITE}`);
}

/** The name of the code page for which the language driver of a table stands, byte 29 of its head. */
export const codePageOfDriver = (driver: number): string | undefined => ofNumber(DRIVERS[driver]);

/** What makes a table readable. */
export const REWRITE = 'Save the table as UTF-8: ogr2ogr -lco ENCODING=UTF-8 new.shp old.shp';

/** What writers call code pages: a number behind whatever word, ISO 8859 with and without marks, a language driver. */
function nameOf(said: string): string | undefined {
  const short = said.replaceAll(/[^a-z0-9]/g, '');
  const [, driver] = /^ldid(\d+)$/.exec(short) ?? [];
  if (driver !== undefined) return codePageOfDriver(Number(driver));
  const [, part] = /^(?:iso)?8859(\d{1,2})$/.exec(short) ?? [];
  if (part !== undefined) return `iso-8859-${part}`;
  const [, page] = /^(?:ansi|oem|cp|ms|dos|ibm|win|windows)?(\d{3,5})$/.exec(short) ?? [];
  return page === undefined ? said : ofNumber(Number(page));
}

/** A code page of Windows by its number. */
function ofNumber(page: number | undefined): string | undefined {
  if (page === undefined) return undefined;
  if (page > 28_590 && page < 28_607) return `iso-8859-${page - 28_590}`;
  return NAMES[page] ?? (`cp${page}` in UPPER_HALVES ? `cp${page}` : `windows-${page}`);
}

/** Code pages that decoders know by another name than `windows-` and the number. */
const NAMES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** The numbers of code pages with the language drivers that stand for them. 0x57, the writer's own, says nothing. */
const PAGES_OF_DRIVERS: readonly (readonly [page: number, ...drivers: readonly number[]])[] = [
  [437, 0x01, 0x09, 0x0b, 0x0d, 0x0f, 0x11, 0x15, 0x18, 0x19, 0x1b],
  [737, 0x6a, 0x86],
  [850, 0x02, 0x0a, 0x0e, 0x10, 0x12, 0x14, 0x16, 0x1a, 0x1d, 0x25, 0x37],
  [852, 0x1f, 0x22, 0x23, 0x40, 0x64, 0x87],
  [857, 0x6b, 0x88],
  [860, 0x24],
  [861, 0x67],
  [863, 0x1c, 0x6c],
  [865, 0x08, 0x17, 0x66],
  [866, 0x26, 0x65],
  [874, 0x50, 0x7c],
  [932, 0x13, 0x7b],
  [936, 0x4d, 0x7a],
  [949, 0x4e, 0x79],
  [950, 0x4f, 0x78],
  [1250, 0xc8],
  [1251, 0xc9],
  [1252, 0x03, 0x58, 0x59],
  [1253, 0xcb],
  [1254, 0xca],
  [1255, 0x7d],
  [1256, 0x7e],
  [1257, 0xcc],
  [10000, 0x04],
  [10007, 0x96],
];

const DRIVERS: Readonly<Record<number, number>> = Object.fromEntries(
  PAGES_OF_DRIVERS.flatMap(([page, ...drivers]) => drivers.map((driver) => [driver, page])),
);

/**
 * Reads values by their code page. Without one each is UTF-8 where it is that, else Windows-1252: by itself, so that what
 * an id becomes does not hang on other rows. The same is done where the .cpg says UTF-8 and a value is none. Of a letter that the
 * end of its column has cut in two nothing is left. A text with U+FFFD, the mark of lost characters, is none.
 */
export function decoderOf(codePage: string | undefined): Decode {
  const upper = codePage === undefined ? undefined : UPPER_HALVES[codePage];
  if (upper !== undefined) return (bytes) => withoutMarks(ofSingleBytes(upper, bytes));
  const name = codePage ?? 'utf-8';
  const strict = new TextDecoder(name, { fatal: true });
  return (bytes) => {
    const text = attempted(() => strict.decode(bytes)) ?? beforeCut(name, bytes, codePage !== undefined);
    return withoutMarks(text ?? (name === 'utf-8' ? ofSingleBytes(WINDOWS_1252, bytes) : undefined));
  };
}

/** In a table of an unknown code page, a beginning of ASCII alone is no sign that the end is half a letter. */
function beforeCut(name: string, bytes: Uint8Array, isSaid: boolean): string | undefined {
  const text = attempted(() => new TextDecoder(name, { fatal: true }).decode(bytes, { stream: true }));
  return isSaid || /[^\0-\u007f]/.test(text ?? '') ? text : undefined;
}

function attempted(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

const withoutMarks = (text: string | undefined): string | undefined => (text?.includes('\ufffd') ? undefined : text);

const ofSingleBytes = (upper: string, bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? ''))).join('');

/** Node decodes Windows-1252 as ISO 8859-1 (github.com/nodejs/node/issues/56542): bytes 0x80 to 0x9f differ. */
const WINDOWS_1252 = `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${String.fromCharCode(...Array.from({ length: 96 }, (_, index) => 0xa0 + index))}`;

/**
 * The characters of bytes 0x80 to 0xff of code pages that decoders do not have, or not rightly; U+FFFD for none.
 *
 * @see https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/
 */
const UPPER_HALVES: Readonly<Record<string, string>> = {
  'windows-1252': WINDOWS_1252,
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp737:
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp857:
    'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\ufffdÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\ufffd×ÚÛÙìÿ¯´\u00ad±\ufffd¾¶§÷¸°¨·¹³²■\u00a0',
  cp860:
    'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp861:
    'ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp863:
    'ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp865:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
};
