/** Control, format (zero-width, bidirectional), surrogate and private characters, line separators, noncharacters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Whether a text holds an invisible character, or one that changes how the text around it is shown. */
export const holdsInvisible = (text: string): boolean => INVISIBLE.test(text);

/** The fault of such a text: the end of a sentence. */
export const noInvisible = 'must not hold control, zero-width, direction or private-use characters';
