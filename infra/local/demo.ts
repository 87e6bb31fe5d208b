// `npm run demo`: shows what the service does. It uses the running service of LOCAL_DIR, or starts one for the time
// being, does a job of each kind with progress shown, writes pictures and a page to LOCAL_DIR/demo/, and leads through
// the console.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { demonstrateBoundary } from './demo/boundary.js';
import { demonstrateGdd, demonstrateWeather } from './demo/gdd.js';
import { demonstrateImagery } from './demo/imagery.js';
import { demonstrateNewScene } from './demo/newScene.js';
import { overviewOf } from './demo/overview.js';
import { pageOf } from './demo/page.js';
import { runningService } from './demo/service.js';
import { tourStops, tourText } from './demo/tour.js';

const directory = resolve(process.env['LOCAL_DIR'] ?? '.local');
const service = await runningService(directory);
try {
  const folder = join(directory, 'demo');
  mkdirSync(folder, { recursive: true });
  const gdd = await demonstrateGdd(service.client, folder);
  const weather = await demonstrateWeather(service.client, folder);
  const boundary = await demonstrateBoundary(service.client, folder);
  const imagery = await demonstrateImagery(service.client, folder);
  const newScene = await demonstrateNewScene(service.client, { directory, folder });
  const page = join(folder, 'index.html');
  const sections = [gdd, weather, boundary, imagery];
  writeFileSync(page, pageOf(newScene === undefined ? sections : [...sections, newScene]));
  writeFileSync(join(folder, 'overview.svg'), overviewOf(folder, { gdd, boundary, imagery }));
  console.log(`\nThe pictures are in ${folder}; open ${page} in a browser.\n`);
  const stops = tourStops({ seasons: new Map([...gdd.jobs, ...weather.jobs]) });
  console.log(tourText(stops, service.client.service.baseUrl, directory, new Date()));
  if (service.isOurs && process.stdout.isTTY) {
    console.log('The service runs until Ctrl-C.');
    await once(process, 'SIGINT');
  }
} finally {
  await service.stop();
}
