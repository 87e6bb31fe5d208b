import { check } from '../checker.mjs';
import { crashPoints } from '../crashPoints.mjs';
import { experiment as kills } from './e01-kills.mjs';
import { experiment as manyFaults } from './e02-many-faults.mjs';
import { crashes, experiment as crashPointsOf, oneAtWork } from './e03-crash-points.mjs';
import { experiment as rivals } from './e04-one-id-many-creates.mjs';
import { experiment as lostAnswers } from './e05-lost-answers.mjs';
import { experiment as races } from './e06-cancel-or-complete.mjs';
import { experiment as copies } from './e07-duplicate-messages.mjs';
import { experiment as zombies } from './e08-zombies.mjs';
import { experiment as poisoned } from './e09-poison.mjs';
import { experiment as storageAway } from './e10-storage-away.mjs';
import { experiment as catalogue } from './e12-catalogue.mjs';
import { experiment as damage } from './e13-broken-files.mjs';
import { experiment as uploads } from './e14-uploads.mjs';
import { experiment as backfill } from './e15-backfill.mjs';
import { experiment as days } from './e16-days.mjs';
import { experiment as clocks } from './e17-clocks.mjs';
import { experiment as lists } from './e18-paging.mjs';
import { experiment as model } from './e19-model.mjs';
import { experiment as versions } from './e20-two-versions.mjs';
import { experiment as vault } from './e21-key-vault.mjs';
import { experiment as soak } from './e22-soak.mjs';
import { experiment as overload } from './e23-overload.mjs';
import { experiment as restore } from './e25-restore.mjs';
import { experiment as reruns } from './e26-reruns.mjs';
import { experiment as holes } from './e28-holes.mjs';
import { experiment as deaths } from './e29-deaths.mjs';
import { experiment as deadlyField } from './e31-deadly-field.mjs';
import { experiment as backlog } from './e30-backlog.mjs';
import { experiment as idle } from './e32-idle-customers.mjs';
import { experiment as beginnings } from './e33-beginnings.mjs';
import { experiment as flood } from './e34-flood.mjs';
import { experiment as feed } from './e35-feed.mjs';
import { experiment as feedAway } from './e36-feed-away.mjs';
import { experiment as productVersions } from './e37-versions.mjs';
import { experiment as farmChanges } from './e38-farm-changes.mjs';
import { experiment as imports } from './e39-import.mjs';
import { experiment as cascades } from './e40-cascades.mjs';
import { experiment as erasures } from './e41-erasures.mjs';
import { experiment as release } from './e42-release.mjs';
import { experiment as lostAccount } from './e43-lost-account.mjs';
import { experiment as notices } from './e44-notices.mjs';
import { experiment as restoredDeletions } from './e47-restored-deletions.mjs';
import { experiment as hold } from './e48-hold.mjs';
import { experiment as slowReceivers } from './e49-slow-receivers.mjs';
import { experiment as awayFromFarms } from './e51-storage-away-from-farms.mjs';
import { experiment as largeGeometries } from './e52-large-geometries.mjs';

/** Crashes at one point alone. */
const crashesAt = (point, environment = {}) => ({
  id: `E3 (${point})`,
  restsOn: crashPointsOf.restsOn,
  run: (context) =>
    crashes(context, { points: crashPoints.filter(({ name }) => name === point), times: 3, environment }),
});

/** A credential in a blob, which no run of the product leaves: the checker must see it. */
const planted = {
  id: 'the checker',
  restsOn: ['storage'],
  run: async (context) => {
    const world = await context.start();
    const secret = Buffer.from(`{"authorization":"Bearer ${world.service.jwt}"}`);
    await world.storage.container('weather-cache').getBlockBlobClient('planted.json').uploadData(secret);
    return check(world);
  },
};

/** What is run without what, and the promise that must be seen broken. */
const controls = [
  { experiment: kills, protection: 'sweeper', breach: /I1/, jobs: 60 },
  { experiment: manyFaults, protection: 'readBack', breach: /I2/, jobs: 250 },
  { experiment: crashesAt('publish-after-blob'), protection: 'fixedId', breach: /I3/ },
  { experiment: crashesAt('finish-after-write'), protection: 'effectFirst', breach: /I3/ },
  { experiment: rivals, protection: 'uniqueInsert', breach: /I2/, jobs: 2 },
  { experiment: lostAnswers, protection: 'readBack', breach: /I2/, jobs: 30 },
  { experiment: races, protection: 'fence', breach: /I4/, jobs: 30 },
  { experiment: copies, protection: 'lease', breach: /I3/, jobs: 30 },
  { experiment: zombies, protection: 'fence', breach: /I4/, jobs: 6 },
  { experiment: poisoned, protection: 'poison', breach: /went to the poison queue/, jobs: 20 },
  { experiment: storageAway, protection: 'storageTimeout', breach: /I11: an answer took/ },
  { experiment: catalogue, protection: 'wholePages', breach: /as without a fault|is lost/, jobs: 1, only: 'fewer' },
  { experiment: damage, protection: 'finalDamage', breach: /I6/, jobs: 20 },
  { experiment: uploads, protection: 'orphanSweep', breach: /a day later/, jobs: 2 },
  { experiment: backfill, protection: 'sweeper', breach: /I6/ },
  { experiment: days, protection: 'sceneMessages', breach: /I6/, jobs: 6 },
  { experiment: clocks, protection: 'clamp', breach: /I5/, jobs: 60 },
  { experiment: lists, protection: 'boundCursor', breach: /a cursor of another/, jobs: 12 },
  { experiment: model, protection: 'uniqueInsert', breach: /command/, jobs: 60 },
  { experiment: versions, protection: 'putBack', breach: /refused as/, jobs: 40 },
  { experiment: vault, protection: 'licence', breach: /was answered 202/, jobs: 20, only: 'denied' },
  // One minute more than needed to see it: the first host is killed once, so that the other is known to live longest.
  { experiment: soak, protection: 'release', breach: /memory grows/, minutes: 2 },
  { experiment: overload, breach: /creates were accepted of at most/, only: 'unlimited' },
  { experiment: restore, protection: 'wholeExport', breach: /is not looked at whole/, jobs: 8 },
  { experiment: reruns, protection: 'rerunLook', breach: /I16: jobs still wait/, jobs: 4 },
  { experiment: reruns, protection: 'inPlace', breach: /I16: the insight of/, jobs: 4 },
  { experiment: crashesAt('lane-before-leave', oneAtWork), protection: 'laneSweep', breach: /I14: a lane is left/ },
  { experiment: holes, protection: 'neighbours', breach: /no image of/, jobs: 40 },
  { experiment: deaths, protection: 'fanOutMark', breach: /I6/, only: 'scene-after-row' },
  { experiment: deaths, protection: 'recordsFirst', breach: /I6/, only: 'slice-before-records' },
  { experiment: deaths, protection: 'sweeper', breach: /I6/, only: 'unit-after-claim' },
  { experiment: deadlyField, protection: 'sliceDeaths', breach: /I9/ },
  { experiment: idle, protection: 'asksEverybody', breach: /I17/, jobs: 50 },
  { experiment: backlog, protection: 'lanes', breach: /I19/ },
  { experiment: backlog, protection: 'sweeper', breach: /I6/ },
  { experiment: backlog, protection: 'asks', breach: /I6/ },
  { experiment: beginnings, protection: 'indexFirst', breach: /no image of/, jobs: 50 },
  { experiment: beginnings, protection: 'unindexed', breach: /after the stop/, jobs: 50 },
  { experiment: beginnings, protection: 'purgeWaits', breach: /after the purge/, jobs: 50 },
  { experiment: flood, protection: 'takenSince', breach: /I6/, jobs: 2 },
  { experiment: feed, protection: 'feedOverlap', breach: /I6/, jobs: 10 },
  { experiment: feed, protection: 'reconciliation', breach: /I6/, jobs: 20 },
  { experiment: feedAway, protection: 'wholeWindows', breach: /I6/, jobs: 8 },
  { experiment: productVersions, protection: 'datastrips', breach: /I6/, jobs: 8 },
  { experiment: productVersions, protection: 'sameProduct', breach: /I6/, jobs: 8 },
  { experiment: farmChanges, protection: 'oneWrite', breach: /left/, jobs: 60 },
  { experiment: imports, protection: 'rowsFirst', breach: /instead of/, only: 'unwritten' },
  { experiment: cascades, protection: 'writerPause', breach: /is left/, jobs: 2 },
  { experiment: erasures, protection: 'tombstones', breach: /restored/, jobs: 3 },
  { experiment: release, protection: 'drain', breach: /was begun again/, jobs: 200 },
  { experiment: lostAccount, protection: 'writtenOnce', breach: /written over/, jobs: 4 },
  { experiment: lostAccount, protection: 'wholeExport', breach: /^fields: was/, jobs: 4 },
  { experiment: lostAccount, protection: 'exportedFiles', breach: /is not looked at whole/, jobs: 4 },
  { experiment: notices, protection: 'outboxRow', breach: /is not in the log/, only: 'end-before-message' },
  {
    experiment: restoredDeletions,
    protection: 'keptTombstones',
    breach: /was erased, is answered 200/,
    only: 'before',
  },
  { experiment: restoredDeletions, protection: 'deletionsGoOn', breach: /I22: the cascade/, jobs: 10, only: 'rounds' },
  { experiment: hold, protection: 'holdBack', breach: /the rows grew while held/, only: 'hold' },
  { experiment: hold, protection: 'heldUncounted', breach: /I1: away-\d+ is FAILED/, only: 'hold' },
  { experiment: hold, protection: 'eraseApart', breach: /I23: party erased: not erased within/, only: 'party erased' },
  { experiment: slowReceivers, protection: 'seats', breach: /were delivered/, only: '14 s' },
  { experiment: awayFromFarms, protection: 'sweeper', breach: /I22: not all/ },
  { experiment: largeGeometries, protection: 'shapesBeside', breach: /I28/ },
  { experiment: planted, breach: /I10/ },
];

/** A control that dies has found nothing; those behind it are still run. */
const runWhole = async (experiment, context) => {
  try {
    return await experiment.run(context);
  } catch (cause) {
    return { breaches: [`it died: ${cause.message}`] };
  }
};

const nameOf = ({ experiment: { id }, protection, only = '' }) =>
  `${id} ${protection === undefined ? only : `without ${protection}`}`.trim();

export const experiment = {
  id: 'E24',
  title: 'the experiments with one protection taken out',
  passLine: 'each finds the promise broken that the protection keeps',
  /** Each control has a row of its own, so that it can be run by itself. */
  controls: controls.map((control) => ({ name: nameOf(control), restsOn: control.experiment.restsOn })),
  run: async (context) => {
    const parts = [];
    for (const control of controls) {
      const { experiment: other, protection, breach, jobs, minutes, only = '' } = control;
      const name = nameOf(control);
      if (!name.includes(context.only)) continue;
      const startedAt = Date.now();
      const without = protection === undefined ? [] : [protection];
      const result = await runWhole(other, context.withoutProtections(without, { jobs, minutes, only }));
      await context.stopAll();
      const found = result.breaches.filter((text) => breach.test(text)).length;
      // A run takes half an hour and more: whoever watches sees how far it is, and what it was that found nothing.
      console.log(`   ${name}: finds ${found}`);
      const nothing = `${name} finds nothing of ${breach.source}; it found: ${result.breaches.join('; ')}`;
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      parts.push({ name, seconds, counts: { finds: found }, breaches: found === 0 ? [nothing] : [] });
    }
    const counts = Object.fromEntries(parts.map(({ name, counts: { finds } }) => [name, `finds ${finds}`]));
    return { counts, breaches: parts.flatMap(({ breaches }) => breaches), parts };
  },
};
