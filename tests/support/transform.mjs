// Compiles TypeScript for the tests and makes built-in globals names of each module. Tests run in a context of their own
// (node:vm), where each look at a global such as Math asks the context first: loops over pixels, days or positions took
// several times as long there as in the product.
import swc from '@swc/jest';

/** What no test replaces. */
const BUILT_INS = [
  ...['Array', 'Date', 'Infinity', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise', 'Set', 'String'],
  ...['Float32Array', 'Float64Array', 'Int16Array', 'Int32Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'],
];

/** The source with a first statement that names the built-ins it uses; on the first line, so that all keep their number. */
function withBuiltIns(source) {
  const used = BUILT_INS.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
  return used.length === 0 ? source : `const { ${used.join(', ')} } = globalThis; ${source}`;
}

export default {
  createTransformer(options) {
    const compiler = swc.createTransformer(options);
    return {
      canInstrument: compiler.canInstrument,
      process: (source, ...rest) => compiler.process(withBuiltIns(source), ...rest),
      processAsync: (source, ...rest) => compiler.processAsync(withBuiltIns(source), ...rest),
      getCacheKey: (source, ...rest) => compiler.getCacheKey(withBuiltIns(source), ...rest),
    };
  },
};
