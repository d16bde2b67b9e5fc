/** Makes an account on a gateway, and returns a key of it. */
export const newKeyOf = async (url: string, adminToken: string): Promise<string> => {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly id: string; readonly key: string };
  };
  const { id } = await post('/admin/v1/accounts', { name: 'moving', plan: 'pro' });
  return (await post(`/admin/v1/accounts/${id}/keys`, { name: 'moving' })).key;
};
