// `npm run --silent imagery -- remake …`: makes images again whose files are gone, for operators.
import { operatorServices } from './customers/operatorServices.js';
import { runImageryCommand } from './customers/imageryCommands.js';
import { operatorProgram } from './operatorProgram.js';

await operatorProgram(import.meta.url, (argv) => runImageryCommand(argv, () => operatorServices(process.env)));
