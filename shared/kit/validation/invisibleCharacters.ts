/** Control, format (zero-width, bidirectional), surrogate and private characters, line separators, noncharacters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Whether a text holds an invisible character, or one that changes how the text around it is shown. */
export const holdsInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Zero-width joiner and non-joiner, which Persian, Indian scripts and many emoji need. */
const JOINERS = /[\u200c\u200d]/g;

/** As `holdsInvisible` for a text that people read and no path holds, which may have joiners. */
export const holdsInvisibleBesideJoiners = (text: string): boolean => holdsInvisible(text.replaceAll(JOINERS, ''));

/** The fault of such a text: the end of a sentence. */
export const noInvisible = 'must not hold control, zero-width, direction or private-use characters';
