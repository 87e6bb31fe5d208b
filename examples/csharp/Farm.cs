using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json.Nodes;

/// <summary>A party with a farm and its fields from a GeoJSON file, then degree days and the boundary of one of them.</summary>
/// <remarks>Run again it changes what it made before.</remarks>
static class Farm
{
    const string Party = "5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10", Home = "0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11";
    const string Version = "api-version=2023-11-01-preview";

    public static async Task Run(Service service)
    {
        async Task<JsonNode> Ask(HttpMethod method, string path, string? kind = null, byte[]? body = null)
        {
            using var answer = await service.Send(() =>
            {
                var request = service.WithToken(method, path);
                if (body is not null) request.Content = new ByteArrayContent(body) { Headers = { ContentType = new MediaTypeHeaderValue(kind!) } };
                return request;
            });
            return (await answer.EnsureSuccessStatusCode().Content.ReadFromJsonAsync<JsonNode>())!;
        }
        Task Patch(string path, JsonObject members) =>
            Ask(HttpMethod.Patch, $"{path}?{Version}", "application/merge-patch+json", Encoding.UTF8.GetBytes(members.ToJsonString()));

        await Patch($"/parties/{Party}", new() { ["name"] = "Miller" });
        await Patch($"/parties/{Party}/farms/{Home}", new() { ["name"] = "Home farm" });

        var file = await File.ReadAllBytesAsync("examples/fields.geojson");
        var state = await Ask(HttpMethod.Post, $"/v1/imports?partyId={Party}&farmId={Home}", "application/geo+json", file);
        while (state["status"]!.GetValue<string>() is "Waiting" or "Running")
        {
            await Task.Delay(1000);
            state = await Ask(HttpMethod.Get, $"/v1/imports/{state["id"]}");
        }
        Console.WriteLine($"{state["status"]}: {state["written"]} fields written, {state["failed"]} not");

        // The file calls the field north-40; jobs take UUIDs, so its id is one made of that name.
        var filter = Uri.EscapeDataString("sourceId eq north-40");
        var found = await Ask(HttpMethod.Get, $"/parties/{Party}/fields?{Version}&propertyFilters={filter}");
        var id = found["value"]![0]!["id"]!.GetValue<string>();
        Console.WriteLine($"The field north-40 has the id {id}.");

        // The examples of both kinds of jobs, told of this field instead of the demo party's.
        var field = await Ask(HttpMethod.Get, $"/parties/{Party}/fields/{id}?{Version}");
        var corners = field["geometry"]!["coordinates"]![0]!.AsArray().Skip(1).ToArray();
        double Mean(int axis) => corners.Average(corner => corner![axis]!.GetValue<double>());
        service.File["partyId"] = Party;
        service.File["farmId"] = Home;
        service.File["fieldIds"] = new JsonArray(id);
        service.File["pointOnSurface"] = new JsonObject { ["longitude"] = Mean(0), ["latitude"] = Mean(1) };
        await Gdd.Run(service);
        await Boundary.Run(service);
    }
}
