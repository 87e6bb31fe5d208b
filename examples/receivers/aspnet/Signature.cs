using System.Security.Cryptography;
using System.Text;

/// <summary>Who sent it, and when: Standard Webhooks.</summary>
static class Signature
{
    const int WindowSeconds = 300;

    /// <summary>Whether one of the secrets signed these bytes within the last five minutes.</summary>
    public static bool IsRight(IHeaderDictionary headers, byte[] body, IEnumerable<string> secrets)
    {
        var (id, timestamp) = (headers["webhook-id"].ToString(), headers["webhook-timestamp"].ToString());
        if (!uint.TryParse(timestamp, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > WindowSeconds) return false;
        byte[] content = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        // The header has one for each secret that is valid, and may have signatures of other versions.
        var given = headers["webhook-signature"].ToString().Split(' ').Select(Encoding.UTF8.GetBytes).ToList();
        return secrets.Any(secret => given.Any(one => CryptographicOperations.FixedTimeEquals(one, Expected(secret, content))));
    }

    static byte[] Expected(string secret, byte[] content)
    {
        var key = Convert.FromBase64String(secret["whsec_".Length..]);
        return Encoding.UTF8.GetBytes($"v1,{Convert.ToBase64String(HMACSHA256.HashData(key, content))}");
    }
}
