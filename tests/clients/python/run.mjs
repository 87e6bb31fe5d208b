// The Python package against a service of its own: with `requests` alone, then with whatever else is installed. `npm run
// test:python`; `-- --offline` runs what needs no service. Python is `python3`, or what PYTHON names.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import stopService from '../../contract/stopService.mjs';
import { startWith } from '../../contract/startService.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const python = process.env.PYTHON ?? 'python3';
const optional = 'pandas geopandas rasterio';
const isOffline = process.argv.includes('--offline');
