// The operations on farm data with the client that NSwag makes of our own document; one line of output each.
using Stranger;
using static Steps;

const string V = "2023-11-01-preview";
var client = new Client(NewHttp()) { BaseUrl = Setting("BASE_URL") };
var party = $"{Setting("RUN")}-party";
var job = $"{Setting("RUN")}-job";
var since = "1970-01-01T00:00:00.0000000";
var geometry = new FarmGeometry { Type = FarmGeometryType.Polygon, Coordinates = [Ring] };
string Ids(IEnumerable<string> ids) => string.Join(' ', ids);

await Run("party put", async () => (await client.FarmPartyPutAsync(party, V, new PartyWrite { Name = "Grower" })).Id == party);
await Run("party get", async () => (await client.FarmPartyGetAsync(party, V)).Name);
await Run("parties", async () => Ids((await client.FarmPartiesListAsync(V, ids: [party, "nobody"])).Value.Select(each => each.Id)) == party);
await Run("farm put", async () => (await client.FarmFarmPutAsync(party, "farm", V, new FarmWrite { Name = "Farm" })).Name);
await Run("farm get", async () => (await client.FarmFarmGetAsync(party, "farm", V)).PartyId == party);
await Run("farms", async () => Ids((await client.FarmFarmsListAsync(V, names: ["nobody"])).Value.Select(each => each.Id)));
await Run("farms of party", async () => Ids((await client.FarmFarmsOfPartyListAsync(party, V)).Value.Select(each => each.Id)));
await Run("fields put", async () =>
{
    for (var k = 10; k < 22; k += 1)
        await client.FarmFieldPutAsync(party, $"f{k}", V, new FarmFieldWrite { Name = $"Field {k}", FarmId = "farm", Geometry = geometry });
    return "twelve";
});
await Run("field get", async () => (await client.FarmFieldGetAsync(party, "f10", V)).Geometry.Type == FarmGeometryType.Polygon);
await Run("field sent back", async () =>
{
    var whole = await client.FarmFieldGetAsync(party, "f10", V);
    var changed = new FarmFieldWrite { Name = whole.Name, FarmId = whole.FarmId, Geometry = whole.Geometry, Description = "Changed" };
    return (await client.FarmFieldPutAsync(party, "f10", V, changed)).Description;
});
await Run("fields of ids", async () => Ids((await client.FarmFieldsOfPartyListAsync(party, V, ids: ["f10", "f11"])).Value.Select(each => each.Id)));
await Run("fields since", async () => (await client.FarmFieldsOfPartyListAsync(party, V, minCreatedDateTime: since, farmIds: ["farm"])).Value.Count);
await Run("fields by pages", async () =>
{
    var count = 0;
    string? skipToken = null;
    do
    {
        var page = await client.FarmFieldsListAsync(V, farmIds: ["farm"], maxPageSize: 10, skipToken: skipToken);
        count += page.Value.Count(each => each.PartyId == party);
        skipToken = page.SkipToken;
    } while (skipToken != null);
    return count;
});
await Run("fields found", async () => Ids((await client.FarmFieldsSearchAsync(V, new SearchFieldQuery { PartyId = party, Ids = ["f12"] })).Value.Select(each => each.Id)));
await Run("field removed", async () =>
{
    await client.FarmFieldRemoveAsync(party, "f21", V);
    return "204";
});
await Run("error", async () =>
{
    try
    {
        await client.FarmFieldGetAsync(party, "nobody", V);
        return "none";
    }
    catch (ApiException<JobError> error)
    {
        return error.Result.Error.Code;
    }
});

const string M = "partnerAgPowered.gdd";
await Run("insights", async () => Ids((await client.FarmInsightsListAsync("planted", M, "Field", "field", V, minInsightStartDateTime: since)).Value.Select(each => each.Id)));
await Run("insight", async () => (await client.FarmInsightGetAsync("planted", M, "Field", "field", "insight", V)).Measurements["gdd"].Value);
await Run("attachments", async () => Ids((await client.FarmAttachmentsListAsync("planted", M, "Field", "field", V, insightIds: ["insight", "x"])).Value.Select(each => each.Id)));
await Run("attachment", async () => (await client.FarmAttachmentGetAsync("planted", M, "Field", "field", "file", V)).OriginalFileName);
await Run("file", async () => await HexOf((await client.FarmAttachmentFileGetAsync("planted", M, "Field", "field", "file", V)).Stream));

async Task<object?> UntilEnded(Func<Task<CascadeDeleteJob>> look)
{
    for (;;)
    {
        var seen = await look();
        if (seen.Status is not (CascadeDeleteJobStatus.Waiting or CascadeDeleteJobStatus.Running)) return seen.Status;
        await Task.Delay(1000);
    }
}
await Task.WhenAll(
    Run("fields cascade", async () =>
    {
        await client.FarmCascadeFieldPutAsync(job, V, party, "f20");
        return await UntilEnded(() => client.FarmCascadeFieldGetAsync(job, V));
    }),
    Run("farms cascade", async () =>
    {
        await client.FarmCascadeFarmPutAsync(job, V, party, "farm");
        return await UntilEnded(() => client.FarmCascadeFarmGetAsync(job, V));
    }),
    Run("parties cascade", async () =>
    {
        await client.FarmPartyPutAsync($"{party}-2", V, new PartyWrite());
        await client.FarmCascadePartyPutAsync(job, V, $"{party}-2");
        return await UntilEnded(() => client.FarmCascadePartyGetAsync(job, V));
    }));
await Run("farm removed", async () =>
{
    await client.FarmFarmPutAsync(party, "other", V, new FarmWrite());
    await client.FarmFarmRemoveAsync(party, "other", V);
    return "204";
});
await Run("party removed", async () =>
{
    await client.FarmPartyRemoveAsync(party, V);
    return "204";
});
