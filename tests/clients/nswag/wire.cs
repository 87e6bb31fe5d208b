// The operations on farm data with the client that NSwag makes of the transcribed document; one line of output each.
using Stranger;
using static Steps;

const string V = "2023-11-01-preview";
var client = new Client(NewHttp()) { BaseUrl = Setting("BASE_URL") };
var party = $"{Setting("RUN")}-party";
var job = $"{Setting("RUN")}-job";
var geometry = new Polygon { Coordinates = [Ring] };
string Ids(IEnumerable<string> ids) => string.Join(' ', ids);

await Run("party put", async () => (await client.Parties_CreateOrUpdateAsync(party, new Party { Name = "Grower" }, V)).Id == party);
await Run("party get", async () => (await client.Parties_GetAsync(party, V)).Name);
await Run("parties", async () => Ids((await client.Parties_ListAsync(V, ids: [party, "nobody"], minCreatedDateTime: DateTimeOffset.UnixEpoch)).Value.Select(each => each.Id)) == party);
await Run("farm put", async () => (await client.Farms_CreateOrUpdateAsync(party, "farm", new Farm { Name = "Farm" }, V)).Name);
await Run("farm get", async () => (await client.Farms_GetAsync(party, "farm", V)).PartyId == party);
await Run("farms", async () => Ids((await client.Farms_ListAsync(V, names: ["nobody"])).Value.Select(each => each.Id)));
await Run("farms of party", async () => Ids((await client.Farms_ListByPartyIdAsync(party, V)).Value.Select(each => each.Id)));
await Run("fields put", async () =>
{
    for (var k = 10; k < 22; k += 1)
        await client.Fields_CreateOrUpdateAsync(party, $"f{k}", new Field { Name = $"Field {k}", FarmId = "farm", Geometry = geometry }, V);
    return "twelve";
});
await Run("field get", async () => (await client.Fields_GetAsync(party, "f10", V)).Geometry is Polygon);
await Run("field sent back", async () =>
{
    var whole = await client.Fields_GetAsync(party, "f10", V);
    whole.Description = "Changed";
    return (await client.Fields_CreateOrUpdateAsync(party, "f10", whole, V)).Description;
});
await Run("fields by pages", async () =>
{
    var count = 0;
    string? skipToken = null;
    do
    {
        var page = await client.Fields_SearchAsync(new SearchFieldQuery { PartyId = party }, V, skipToken, 10);
        count += page.Value.Count;
        skipToken = page.SkipToken;
    } while (skipToken != null);
    return count;
});
await Run("fields found", async () => Ids((await client.Fields_SearchAsync(new SearchFieldQuery { PartyId = party, Ids = ["f12"], MinCreatedDateTime = DateTimeOffset.UtcNow.AddDays(-1) }, V)).Value.Select(each => each.Id)));
await Run("field removed", async () =>
{
    await client.Fields_DeleteAsync(party, "f21", V);
    return "204";
});
await Run("error", async () =>
{
    try
    {
        await client.Fields_GetAsync(party, "nobody", V);
        return "none";
    }
    catch (ApiException<ErrorResponse> error)
    {
        return error.Result.Error.Code;
    }
});

const string M = "partnerAgPowered.gdd";
await Run("insights", async () => Ids((await client.Insights_ListByPartyIdModelIdAndResourceAsync("planted", M, "Field", "field", V, minInsightStartDateTime: DateTimeOffset.UnixEpoch)).Value.Select(each => each.Id)));
await Run("insight", async () => (await client.Insights_GetAsync("planted", M, "Field", "field", "insight", V)).Measurements["gdd"].Value);
await Run("attachments", async () => Ids((await client.InsightAttachments_ListAsync("planted", M, "Field", "field", V, insightIds: ["insight", "x"])).Value.Select(each => each.Id)));
await Run("attachment", async () => (await client.InsightAttachments_GetAsync("planted", M, "Field", "field", "file", V)).OriginalFileName);
await Run("file", async () => await HexOf((await client.InsightAttachments_DownloadAsync("planted", M, "Field", "field", "file", V)).Stream));

async Task<object?> UntilEnded(Func<Task<CascadeDeleteJob>> look)
{
    for (;;)
    {
        var seen = await look();
        if (seen.Status is not ("Waiting" or "Running")) return seen.Status;
        await Task.Delay(1000);
    }
}
await Task.WhenAll(
    Run("fields cascade", async () =>
    {
        await client.Fields_CreateCascadeDeleteJobAsync(job, party, "f20", V);
        return await UntilEnded(() => client.Fields_GetCascadeDeleteJobDetailsAsync(job, V));
    }),
    Run("farms cascade", async () =>
    {
        await client.Farms_CreateCascadeDeleteJobAsync(job, party, "farm", V);
        return await UntilEnded(() => client.Farms_GetCascadeDeleteJobDetailsAsync(job, V));
    }),
    Run("parties cascade", async () =>
    {
        await client.Parties_CreateOrUpdateAsync($"{party}-2", new Party(), V);
        await client.Parties_CreateCascadeDeleteJobAsync(job, $"{party}-2", V);
        return await UntilEnded(() => client.Parties_GetCascadeDeleteJobDetailsAsync(job, V));
    }));
await Run("farm removed", async () =>
{
    await client.Farms_CreateOrUpdateAsync(party, "other", new Farm(), V);
    await client.Farms_DeleteAsync(party, "other", V);
    return "204";
});
await Run("party removed", async () =>
{
    await client.Parties_DeleteAsync(party, V);
    return "204";
});
