// The sign-in of the pipeline. That of azure/login is good for about an hour, which a release with its way back may exceed:
// GitHub gives the job a new proof of who it is whenever it is asked.

/** A token of the service. */
const tokenOf = ({ run }, audience) =>
  run('az', [
    ...['account', 'get-access-token', '--resource', `api://${audience}`],
    ...['--query', 'accessToken', '--output', 'tsv'],
  ]);

/** Signs in to Azure anew. @returns {Promise<boolean>} false outside of GitHub, where nothing is done */
async function signInAgain({ env, fetch, run }) {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (!address) return false;
  const headers = { authorization: `bearer ${bearer}` };
  const answer = await fetch(`${address}&audience=api://AzureADTokenExchange`, { headers });
  const { value } = await answer.json();
  const who = ['--username', env.AZURE_CLIENT_ID, '--tenant', env.AZURE_TENANT_ID];
  run('az', ['login', '--service-principal', ...who, '--federated-token', value, '--output', 'none']);
  return true;
}

/** @returns what the release asks as: `token` of the service, and `renew` before what may take long */
export function signedIn(ports, audience) {
  const session = {
    token: tokenOf(ports, audience),
    renew: async () => {
      if (await signInAgain(ports)) session.token = tokenOf(ports, audience);
    },
  };
  return session;
}
