// Serves map tiles of a land of nowhere, to look at the console with some: `node infra/build/run.mjs infra/local/tiles.ts`,
// then `npm start` with the setting that this prints.
import { startTiles } from './standIns/tiles.js';

const { url } = await startTiles(Number(process.env['TILES_PORT'] ?? 0));
console.log(`CONSOLE_TILES_URL=${url}/tiles.json`);
